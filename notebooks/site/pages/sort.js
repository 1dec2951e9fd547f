// A click on the head of a column sorts its table by it: numbers by the first in the cell, the greatest first; another click turns it round.
document.addEventListener("click", (event) => {
  const head = event.target.closest("th");
  const body = head?.closest("table")?.tBodies[0];
  if (!body) return;
  const column = head.cellIndex;
  const value = (row) => {
    const text = row.cells[column]?.textContent.trim() ?? "";
    const number = parseFloat(text.replace("−", "-"));
    return Number.isNaN(number) ? text : number;
  };
  const up = head.dataset.order === "down";
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    const order = typeof x === "number" && typeof y === "number" ? y - x : String(x).localeCompare(String(y));
    return up ? -order : order;
  });
  for (const other of head.parentNode.cells) delete other.dataset.order;
  head.dataset.order = up ? "up" : "down";
  body.append(...rows);
});

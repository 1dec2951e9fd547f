// A click on the head of a column sorts its table by it: numbers by the first in the cell, the greatest first; another click turns it round.
// Times are compared in one unit, and cells that have nothing to compare are last.
const micros = { "µs": 1, ms: 1e3, s: 1e6 };
document.addEventListener("click", (event) => {
  const head = event.target.closest("th");
  const body = head?.closest("table")?.tBodies[0];
  if (!body) return;
  const column = head.cellIndex;
  const value = (row) => {
    const text = row.cells[column]?.textContent.trim() ?? "";
    const [, number, unit] = /^([−-]?[\d.,]*\d) ?(µs|ms|s)?(?!\w)/.exec(text) ?? [];
    return number ? parseFloat(number.replace("−", "-").replaceAll(",", "")) * (micros[unit] ?? 1) : text.replace(/^–$/, "");
  };
  const up = head.dataset.order === "down";
  const rows = [...body.rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === "" || y === "") return (x === "") - (y === "");
    const order = typeof x === "number" && typeof y === "number" ? y - x : String(x).localeCompare(String(y));
    return up ? -order : order;
  });
  for (const other of head.parentNode.cells) delete other.dataset.order;
  head.dataset.order = up ? "up" : "down";
  body.append(...rows);
});

export const make = (tag, props = {}, ...children) => {
  const e = Object.assign(document.createElement(tag), props);
  e.append(...children);
  return e;
};

export const sentence = text => text[0].toUpperCase() + text.slice(1);

const percent = x => (100 * x).toFixed(x > 0 && x < .1 ? 1 : 0) + " %";

// account returns the elements of a bot's account of a decision, the most likely actions first; taken is the action that was taken, if any.
export function account(thought, taken) {
  const number = x => thought.unit === "chance to win" ? percent(x) : x.toFixed(2).replace(/^-(0\.0*)$/, "$1");
  const lines = thought.actions ?? [], tried = lines.some(l => l.visits);
  const name = action => sentence(lines.find(l => l.action === action)?.label ?? "?");
  const verdict = make("p", {}, make("b", {textContent: thought.bot}), " would choose ", make("b", {textContent: name(thought.choice)}), ".");
  const values = (thought.value ?? []).map((x, seat) => x === null ? "" : `seat ${seat}: ${number(x)}`).filter(Boolean);
  if (values.length) verdict.append(` ${sentence(thought.unit)}, as it expects${tried ? " then" : ""}: ${values.join(", ")}.`);
  const shown = [verdict];
  if (lines.length) {
    const most = 12, rows = lines.filter((l, i) => i < most || l.action === taken || l.action === thought.choice).map(l => {
      const tr = make("tr", {className: l.action === thought.choice ? "choice" : ""}, make("th", {scope: "row", textContent: sentence(l.label) + (l.action === taken ? " ✓" : "")}));
      if (l.action === taken) tr.title = "this was done";
      const meter = make("meter", {min: 0, max: 1, value: tried && thought.unit === "chance to win" ? l.mean ?? 0 : l.prob, ariaLabel: "weight"});
      tr.append(make("td", {}, meter));
      if (tried) tr.append(make("td", {textContent: l.mean === undefined ? "–" : number(l.mean)}), make("td", {className: "soft", textContent: l.visits ?? 0}));
      else tr.append(make("td", {textContent: percent(l.prob)}));
      return tr;
    });
    const heads = tried ? ["action", "", thought.unit, "tried"] : ["action", "", "probability"];
    shown.push(make("table", {}, make("thead", {}, make("tr", {}, ...heads.map(h => h ? make("th", {scope: "col", textContent: h}) : make("td")))), make("tbody", {}, ...rows)));
  }
  for (const note of thought.notes ?? []) shown.push(make("p", {className: "soft", textContent: note}));
  return shown;
}

// watch shows a match step by step. Pictures are lists of lines, because successive pictures share most lines.
// It begins at a step of the first view with pictures; other, called with the number of a view without pictures, fetches them.
// $ finds the elements of the page by name. The returned function ends the watching, and returns the step.
export function watch(match, $, step = 0, other = () => {}) {
  let view = match.views.find(v => v.frames), timer = 0;
  const ended = new AbortController();
  $("view").replaceChildren(...match.views.map(v => new Option(v.name)));

  function picture(i) {
    return view.frames[i].map(line => match.lines[line]).join("\n");
  }

  function chances() {
    if (!view.chances) { $("chances").replaceChildren(); return; }
    const wide = 600, high = 160, n = Math.max(1, view.chances.length - 1);
    const x = i => (i / n * wide).toFixed(1), y = p => (high - 10 - p * (high - 20)).toFixed(1);
    let body = `<title>each seat's chance to win, by step</title><rect class="pv-page" width="${wide}" height="${high}"/>`;
    for (let seat = 0; seat < match.seats; seat++) {
      const points = view.chances.map((c, i) => x(i) + "," + y(c[seat])).join(" ");
      const last = view.chances[step][seat];
      body += `<g class="pv-curve pv-s${seat % 10}"><title>seat ${seat}: ${(100 * last).toFixed(0)} %</title><polyline points="${points}"/><circle cx="${x(step)}" cy="${y(last)}" r="5"/></g>`;
    }
    body += `<line class="pv-line" x1="${x(step)}" y1="0" x2="${x(step)}" y2="${high}"/>`;
    $("chances").innerHTML = `<svg class="pv" viewBox="0 0 ${wide} ${high}" role="img">${body}</svg>`;
  }

  function show(i) {
    step = Math.max(0, Math.min(view.frames.length - 1, i));
    $("picture").innerHTML = picture(step);
    $("at").value = step;
    $("number").textContent = `${step} / ${view.frames.length - 1}`;
    $("now").textContent = step > 0 ? view.steps[step - 1].text : "the beginning";
    const asked = view.steps[step];
    $("thought").replaceChildren(...(asked?.thought ? account(asked.thought, asked.taken ?? 0) : []));
    for (const li of $("log").children) li.removeAttribute("aria-current");
    const li = $("log").children[step - 1];
    if (li) { li.setAttribute("aria-current", "true"); $("log").scrollTop = li.offsetTop - $("log").offsetTop - 80; }
    const rounds = Object.entries(view.rounds).filter(([, at]) => at <= step);
    if (rounds.length) $("round").value = rounds[rounds.length - 1][0];
    chances();
  }

  function look(i) {
    if (match.views[i].frames) view = match.views[i];
    else other(i);
    $("view").selectedIndex = match.views.indexOf(view);
    $("at").max = view.frames.length - 1;
    $("log").replaceChildren(...view.steps.map((s, k) => {
      const li = document.createElement("li");
      li.textContent = s.text;
      if (s.note) { const note = document.createElement("div"); note.textContent = s.note; li.append(note); }
      li.addEventListener("click", () => show(k + 1));
      return li;
    }));
    $("round").parentElement.hidden = !Object.keys(view.rounds).length;
    $("round").replaceChildren(...Object.keys(view.rounds).map(r => new Option(r)));
    show(Math.min(step, view.frames.length - 1));
  }

  function pause() { clearInterval(timer); timer = 0; $("play").textContent = "▶▶"; $("play").ariaLabel = "play"; }
  function play() {
    if (timer) { pause(); return; }
    $("play").textContent = "❚❚"; $("play").ariaLabel = "pause";
    timer = setInterval(() => step + 1 < view.frames.length ? show(step + 1) : pause(), $("speed").value);
  }

  $("first").onclick = () => show(0);
  $("back").onclick = () => show(step - 1);
  $("next").onclick = () => show(step + 1);
  $("last").onclick = () => show(view.frames.length - 1);
  $("play").onclick = play;
  $("at").oninput = () => show(+$("at").value);
  $("view").onchange = () => look($("view").selectedIndex);
  $("round").onchange = () => show(view.rounds[$("round").value]);
  $("speed").onchange = () => { if (timer) { pause(); play(); } };
  document.addEventListener("keydown", e => {
    if (e.target.matches("select,input,button") && e.key === " ") return;
    const jump = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10}[e.key];
    if (e.target.matches("select,input")) return;
    if (jump) { show(step + jump); e.preventDefault(); }
    if (e.key === "Home") show(0);
    if (e.key === "End") show(view.frames.length - 1);
    if (e.key === " ") { play(); e.preventDefault(); }
  }, {signal: ended.signal});
  look(match.views.indexOf(view));
  return () => { pause(); ended.abort(); return step; };
}

// The page to play on. It knows no rules: legal actions and events come from the backend (backend.js), in the
// messages of serve/table.
import {connect} from "./backend.js";
import {account, make, sentence, watch} from "./replay.js";

const $ = id => document.getElementById(id);
let games = [];       // playable games
let bots = null;      // bots for the lobby's configuration
let view = null;      // the latest view of the match
let fresh = 0;        // first line of the log since this seat's last decision
let thought = null;   // a bot's account of this decision
let busy = false;     // an answer is pending
let stopWatching = null, watched = "", sameAgain = false;
let links = [];       // addresses of the other people's seats

// ---- the visible part ----

function show(part) {
  for (const id of ["waiting", "lobby", "match", "watch"]) $(id).hidden = id !== part;
  $("new").hidden = !backend.host || !games.length || part === "lobby" || backend.resumes && !view; // a match that is about to be shown would push the lobby away
  $("load").hidden = !games.length || part === "watch";
  $("back").hidden = !view || part === "match";
  if (part !== "watch" && stopWatching) { stopWatching(); stopWatching = null; }
  closeMenu();
}

let noticeTimer = 0;
function notice(text, passing = true) {
  clearTimeout(noticeTimer);
  $("notice").textContent = text;
  $("notice").hidden = !text;
  if (text && passing) noticeTimer = setTimeout(() => notice(""), 9000);
}

// ---- messages ----

const heard = {
  games(m) {
    games = m.games;
    drawLobby();
    if (!view && !backend.resumes) show("lobby");
    else show(view ? "match" : "waiting");
  },
  bots(m) {
    if (m.game !== undefined) drawBots(m);
  },
  rules(m) {
    if (view && m.game === view.game) drawRules(m.text);
  },
  opened(m) {
    view = null;
    links = (backend.addresses(m) ?? []).map((address, seat) => seat === m.seat ? "" : address);
    try { sessionStorage.setItem("links " + m.table, JSON.stringify(links)); } catch { /* then a reload forgets them */ }
    table = m.table;
  },
  view(m) {
    const before = view;
    view = m;
    busy = false;
    if (!before || before.decision !== m.decision || before.turn !== m.turn) thought = null;
    if (!before || m.told === 0) $("log").replaceChildren();
    if (!before) fresh = m.log.length;
    drawMatch(before);
    if ($("watch").hidden) show("match");
  },
  thought(m) {
    busy = false;
    if (!view || m.decision !== view.decision) return;
    thought = m;
    drawThought();
    drawTools();
  },
  saved(m) {
    busy = false;
    if (watchSaved) { watchSaved = false; replayed(m.text); return; }
    const a = make("a", {href: "data:application/json;charset=utf-8," + encodeURIComponent(m.text), download: m.name});
    document.body.append(a);
    a.click();
    a.remove();
  },
  replay(m) {
    busy = false;
    const step = stopWatching?.() ?? 0;
    stopWatching = null;
    show("watch");
    $("watch-title").textContent = m.title;
    stopWatching = watch(m.match, id => $("r-" + id), sameAgain ? step : 0, i => replayed(watched, i));
    drawTools();
  },
  refusal(m) {
    busy = false;
    if (m.for === "sit" || m.for === "look") {
      $("waiting").textContent = m.why;
      backend.resumes = false;
      if (!view) show(games.length && backend.host ? "lobby" : "waiting");
      if (games.length && backend.host || view) notice(m.why);
    } else notice(m.why);
    if (view) drawMatch(view);
  },
  lost() { notice("The server does not answer. The match is kept; trying again …", false); },
  found() { notice(""); },
};

function ask(message) {
  backend.ask(message);
}

// once sends a message unless an answer is pending.
function once(message) {
  if (busy) return;
  busy = true;
  ask(message);
  drawTools();
}

// ---- the lobby ----

let chosen = null, table = "";

function drawLobby() {
  const order = ["doubloons", "jolly_roger"];
  const sorted = [...games].sort((a, b) => (order.indexOf(a.name) + 1 || 9) - (order.indexOf(b.name) + 1 || 9));
  const boxes = sorted.map(g => {
    const [name, ...rest] = g.title.split(/(?=[:(])/);
    const input = make("input", {type: "radio", name: "game", value: g.name, onchange: () => pickGame(g)});
    return make("label", {className: "game"}, input, make("b", {textContent: name.trim()}), make("span", {className: "soft", textContent: rest.join("").replace(/^:\s*/, "")}));
  });
  $("games").replaceChildren($("games").firstElementChild, ...boxes);
  if (!chosen && sorted.length) { boxes[0].firstChild.checked = true; pickGame(sorted[0]); }
}

// gameOf is the listed game of a game string, undefined if it is not listed.
const gameOf = game => games.find(g => g.name === game.split("(")[0]);

// settingsOf returns the settings of a game string, by name.
function settingsOf(game) {
  return Object.fromEntries([...game.matchAll(/[(,]([^=(),]+)=([^,)]*)/g)].map(([, name, value]) => [name, value]));
}

// propose puts the settings of a match into the lobby.
function propose(game) {
  const of = gameOf(game);
  if (!of) return;
  document.querySelector(`#games input[value="${of.name}"]`).checked = true;
  pickGame(of, settingsOf(game));
}

function pickGame(g, set = {}) {
  chosen = g;
  const controls = g.settings.map(s => {
    const id = "set-" + s.name, value = set[s.name] ?? s.default, words = value.split("+");
    const label = make("label", {htmlFor: id, textContent: s.name.replaceAll("_", " ")});
    let control;
    if (s.words) {
      const boxes = s.words.map(w => make("label", {className: "word"}, make("input", {type: "checkbox", value: w, checked: words.includes(w), onchange: asked}), " " + w.replaceAll("_", " ")));
      control = make("fieldset", {id}, make("legend", {textContent: s.name.replaceAll("_", " ")}), ...boxes);
      control.dataset.set = s.name;
      control.title = s.help;
      return control;
    }
    if (s.choices) control = make("select", {id, onchange: asked}, ...s.choices.map(c => new Option(c, c, c === s.default, c === value)));
    else control = make("input", {id, placeholder: s.default, value: set[s.name] ?? "", onchange: asked, size: 6});
    control.dataset.set = s.name;
    control.title = s.help;
    return make("p", {className: "row"}, label, control);
  });
  const first = controls.filter((_, i) => g.settings[i].name === "seats");
  const more = controls.filter((_, i) => g.settings[i].name !== "seats");
  $("settings").replaceChildren(...first);
  if (more.length) $("settings").append(make("details", {}, make("summary", {textContent: "Rules and variants"}), ...more));
  $("others").value = "";
  $("seats").replaceChildren();
  asked();
}

// gameString returns the lobby's choice as a game string.
function gameString() {
  const parts = [];
  for (const s of chosen.settings) {
    const c = document.querySelector(`[data-set="${s.name}"]`);
    const value = s.words ? [...c.querySelectorAll("input:checked")].map(b => b.value).join("+") || "none" : c.value.trim() || s.default;
    if (value !== s.default) parts.push(s.name + "=" + value);
  }
  return chosen.name + (parts.length ? `(${parts.join(",")})` : "");
}

function asked() { ask({do: "bots", game: gameString()}); }

function drawBots(m) {
  const other = bots && bots.game.split("(")[0] !== m.game.split("(")[0];
  bots = m;
  $("bots").replaceChildren(...m.bots.map(b => new Option(b.help ?? "", b.name)), new Option("somebody else, on a page of their own", "person"));
  if (!$("others").value || other) $("others").value = m.best;
  $("others-help").replaceChildren(...m.bots.map(b => {
    const choice = make("button", {type: "button", onclick: () => { $("others").value = b.name; }}, make("b", {textContent: b.name}));
    choice.append(" ", make("span", {className: "soft", textContent: (b.help ?? "") + (b.name === m.best ? " (the strongest that answers at once)" : "")}));
    return choice;
  }));
  const had = [...$("seats").querySelectorAll("input")].map(i => i.value);
  $("seats").replaceChildren(...Array.from({length: m.seats}, (_, seat) => {
    const input = make("input", {id: "seat-" + seat, value: had[seat] ?? (seat ? "" : "person"), placeholder: "as above"});
    input.setAttribute("list", "bots");
    return make("p", {className: "row"}, make("label", {htmlFor: input.id, textContent: "Seat " + seat}), input);
  }));
}

$("lobby").addEventListener("submit", e => {
  e.preventDefault();
  if (!bots) return;
  const seats = [...$("seats").querySelectorAll("input")].map(i => i.value.trim() || $("others").value.trim());
  ask({do: "open", game: gameString(), seats, seed: $("seed").value.trim(), friendly: $("friendly").checked});
});

// ---- the match ----

function drawMatch(before) {
  document.title = (view.turn === "you" ? "● " : "") + view.title + " – privateer";
  $("what").textContent = titleOf(view.game, view.players.length);
  if (!before || before.picture !== view.picture || before === view) {
    $("picture").innerHTML = view.picture;
    const svg = $("picture").firstElementChild;
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", svg.querySelector("title")?.textContent ?? "the match");
    drawHand(svg);
  }
  if (!before || before.game !== view.game) {
    $("rules").open = false;
    $("clauses").replaceChildren("…");
  }
  drawPlayers();
  drawLog(before);
  drawDecision();
  drawMarks();
  drawThought();
  drawLinks();
}

// titleOf is a game string in words.
function titleOf(game, seats) {
  const {seats: _, ...set} = settingsOf(game);
  const name = gameOf(game)?.title.split(/[:(]/)[0].trim() ?? game.split("(")[0];
  const more = Object.entries(set).map(([key, value]) => `${key} ${value}`.replaceAll("_", " ").replaceAll("+", ", "));
  return [name, `${seats} seats`, ...more].join(", ");
}

// drawHand moves the seat's hand from the foot of the picture to the question, with each card at its size in the picture.
function drawHand(svg) {
  $("hand").replaceChildren();
  $("match").hidden = false; // hidden elements have no size
  let foot = Infinity;
  for (const part of svg.querySelectorAll('[data-part="hand"]')) {
    if (part.childElementCount) foot = Math.min(foot, part.getBBox().y);
    for (const card of part.querySelectorAll(":scope > [data-mark]")) {
      const box = card.getBBox(), one = document.createElementNS(svg.namespaceURI, "svg");
      one.setAttribute("class", "pv");
      one.setAttribute("viewBox", `${box.x - 3} ${box.y - 3} ${box.width + 6} ${box.height + 6}`);
      one.setAttribute("width", box.width + 6);
      one.append(card);
      $("hand").append(one);
    }
    part.remove();
  }
  if (foot < Infinity) svg.viewBox.baseVal.height = foot - svg.viewBox.baseVal.y;
  const said = [...new Set([...document.querySelectorAll("#hand title")].map(t => t.textContent))];
  $("own").hidden = !said.length;
  $("meanings").replaceChildren(...said.map(text => make("li", {textContent: text})));
}

function badge(seat) {
  const span = make("span", {className: "badge"});
  span.innerHTML = `<svg class="pv" viewBox="0 0 24 24" aria-hidden="true"><circle class="pv-s${seat % 10}" cx="12" cy="12" r="12"/></svg>`;
  span.append(make("b", {textContent: seat}));
  return span;
}

function drawPlayers() {
  const points = view.scores?.some(s => s !== 0);
  $("players").replaceChildren(...view.players.map((name, seat) => {
    const li = make("li", {}, badge(seat), make("span", {textContent: seat === view.seat ? "you" : name}));
    if (seat === view.seat) li.className = "own";
    if (points) li.append(make("span", {className: "points", textContent: view.scores[seat], title: "points that you know of"}));
    return li;
  }));
}

function drawLog(before) {
  const log = $("log");
  if (before === view) return;
  while (log.children.length > view.told) log.lastChild.remove();
  fresh = Math.min(fresh, view.told);
  for (const text of view.log) log.append(make("p", {textContent: text}));
  [...log.children].forEach((p, i) => p.classList.toggle("fresh", i >= fresh));
  log.scrollTop = log.scrollHeight;
}

function drawDecision() {
  const over = view.turn === "over", you = view.turn === "you";
  $("decision").className = view.turn;
  $("question").textContent = over ? view.end.verdict[0].toUpperCase() + view.end.verdict.slice(1) + "." : you ? question() : "The others are playing …";
  $("end").hidden = !over;
  $("actions").hidden = over;
  if (over) drawEnd();
  const marked = you && view.actions.some(a => a.mark && places(`="${a.mark}"`).length);
  $("hint").textContent = marked ? "Click in the picture, or here:" : "";
  $("actions").replaceChildren(...(you ? view.actions : []).map((a, i) => {
    const b = make("button", {type: "button", className: "action", onclick: () => choose(a)});
    b.dataset.action = a.action;
    if (i < 10) b.append(make("kbd", {textContent: (i + 1) % 10, ariaHidden: "true"}));
    b.append(make("span", {textContent: sentence(a.label)}));
    b.onpointerenter = b.onfocus = () => point(a, true);
    b.onpointerleave = b.onblur = () => point(a, false);
    return b;
  }));
  drawTools();
}

// places returns the elements of the picture and the hand with a given mark, or with any.
const places = mark => document.querySelectorAll(`:is(#picture, #hand) [data-mark${mark}]`);

// question returns the question without the name of the seat.
function question() {
  return sentence(view.question.replace(new RegExp(`^seat ${view.seat}: `), ""));
}

function point(a, on) {
  if (!a.mark) return;
  for (const e of places(`="${a.mark}"`)) e.classList.toggle("pointed", on);
}

function drawTools() {
  const you = view?.turn === "you";
  $("tools").hidden = view?.turn === "over";
  $("undo").disabled = !view?.undo || busy;
  $("undo").hidden = view && !view.friendly;
  $("think").disabled = !you || busy;
  $("think").textContent = busy && you && !thought ? "…" : "What does it think?";
  for (const b of $("actions").children) b.disabled = busy;
  if (view && !$("adviser").value) $("adviser").value = bots?.best ?? "search-10ms";
  if (bots) $("advisers").replaceChildren(...bots.bots.map(b => new Option(b.help ?? "", b.name)));
}

function choose(a) {
  closeMenu();
  if (!view || view.turn !== "you" || busy) return;
  fresh = $("log").children.length;
  once({do: "choose", action: a.action, decision: view.decision});
}

// drawMarks makes buttons of the clickable parts of the picture.
function drawMarks() {
  const groups = new Map();
  for (const a of view.turn === "you" ? view.actions : []) {
    if (a.mark) groups.set(a.mark, [...(groups.get(a.mark) ?? []), a]);
  }
  for (const e of places("")) {
    const actions = groups.get(e.dataset.mark);
    e.classList.toggle("can", Boolean(actions));
    if (!actions) {
      for (const name of ["role", "tabindex", "aria-label", "aria-haspopup"]) e.removeAttribute(name);
      e.onclick = e.onkeydown = null;
      continue;
    }
    e.setAttribute("role", "button");
    e.setAttribute("tabindex", "0");
    e.setAttribute("aria-label", actions.map(a => sentence(a.label)).join(", or "));
    if (actions.length > 1) e.setAttribute("aria-haspopup", "menu");
    e.onclick = event => actions.length === 1 ? choose(actions[0]) : openMenu(actions, e, event);
    e.onkeydown = event => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); e.onclick(event); }
    };
  }
}

let menuOf = null;

// openMenu offers a choice among several actions at one place.
function openMenu(actions, at, event) {
  menuOf = at;
  $("menu").replaceChildren(...actions.map(a => {
    const b = make("button", {type: "button", textContent: sentence(a.label), onclick: () => choose(a)});
    b.setAttribute("role", "menuitem");
    return b;
  }));
  $("menu").hidden = false;
  const box = at.getBoundingClientRect();
  beside($("menu"), event.clientX || box.left + box.width / 2, event.clientY || box.bottom);
  $("menu").firstChild.focus();
  event.stopPropagation();
}

// beside puts a box near a point, within the window.
function beside(e, x, y) {
  const own = e.getBoundingClientRect();
  e.style.left = Math.max(4, Math.min(x, innerWidth - own.width - 4)) + scrollX + "px";
  e.style.top = Math.max(4, Math.min(y, innerHeight - own.height - 4)) + scrollY + "px";
}

function closeMenu() {
  if ($("menu").hidden) return;
  $("menu").hidden = true;
  menuOf?.focus();
}

// A shape's meaning is its title. A resting pointer shows it, and a click does too, since a finger cannot rest.
$("match").addEventListener("click", event => {
  $("tip").hidden = true;
  const shape = event.target.closest(":is(#picture, #hand) g:has(> title)");
  if (!shape || event.target.closest(".can")) return;
  $("tip").textContent = shape.querySelector("title").textContent;
  $("tip").hidden = false;
  beside($("tip"), event.clientX, event.clientY);
});

function drawThought() {
  $("thought").replaceChildren(...(thought && view.turn === "you" ? account(thought) : []));
}

let watchSaved = false;

function drawEnd() {
  const e = view.end;
  const total = seat => e.scores?.[seat].reduce((a, b) => a + b, 0) ?? 0;
  const order = view.players.map((_, seat) => seat).sort((a, b) => e.returns[b] - e.returns[a] || total(b) - total(a));
  const used = (e.sources ?? []).map((_, i) => i).filter(i => e.scores.some(s => s[i] !== 0));
  const head = make("tr", {}, make("th", {scope: "col", textContent: "seat"}), ...used.map(i => make("th", {scope: "col", textContent: e.sources[i].replaceAll("_", " ")})));
  head.append(make("th", {scope: "col", textContent: e.scores ? "points" : "result"}));
  const rows = order.map(seat => {
    const tr = make("tr", {className: seat === view.seat ? "own" : ""}, make("th", {scope: "row"}, badge(seat), " " + (seat === view.seat ? "you" : view.players[seat])));
    tr.append(...used.map(i => make("td", {textContent: e.scores[seat][i]})));
    tr.append(make("td", {}, make("b", {textContent: e.scores ? total(seat) : e.returns[seat].toFixed(2)})));
    return tr;
  });
  const scroll = make("div", {className: "scroll", tabIndex: 0, ariaLabel: "standings"}, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
  scroll.setAttribute("role", "region");
  const buttons = make("p", {className: "row"},
    make("button", {type: "button", id: "watch-it", textContent: "Watch it again", onclick: () => { watchSaved = true; once({do: "save"}); }}),
    make("button", {type: "button", id: "save", textContent: "Save the transcript", onclick: () => once({do: "save"})}));
  if (backend.host) buttons.append(make("button", {type: "button", className: "main", textContent: "Another match", onclick: () => $("new").click()}));
  $("end").replaceChildren(scroll, buttons);
}

// ---- the rules ----

$("rules").ontoggle = () => { if ($("rules").open && view) ask({do: "rules", game: view.game}); };

// drawRules shows the clauses of RULES.md that hold in this match, by section, those beyond the basic game first.
function drawRules(text) {
  const g = gameOf(view.game), set = settingsOf(view.game);
  const values = (g?.settings ?? []).map(s => set[s.name] ?? s.default);
  const added = Object.values(set).flatMap(value => value.split("+")), about = title => word => title.toLowerCase().includes(word.replaceAll("_", " "));
  const absent = (g?.settings ?? []).flatMap(s => s.words ?? []).filter(word => !added.includes(word));
  const sections = text.split(/^## /m).slice(1).map(section => {
    const title = section.split("\n")[0], clauses = [];
    let columns = [];
    for (const line of section.split("\n")) {
      const cells = line.split("|").map(cell => cell.trim()).slice(1);
      const [, id, rest] = /^(?:\||[-*+])\s*\*\*([A-Z]+-\d+)\*\*(.*)$/.exec(line) ?? [];
      if (cells.length && !id) columns = cells.some(cell => /[a-z]/.test(cell)) ? cells : columns;
      else if (id && !columns.some((column, i) => values.includes(column) && /^(no|—)$/.test(cells[i] ?? ""))) clauses.push([id, plain(cells[1] ?? rest)]);
    }
    return {title, clauses, first: added.some(about(title))};
  }).filter(({title, clauses}) => clauses.length && !absent.some(about(title)));
  sections.sort((a, b) => b.first - a.first);
  $("clauses").replaceChildren(...sections.map(({title, clauses, first}) => make("details", {open: first}, make("summary", {textContent: plain(title)}),
    make("dl", {}, ...clauses.flatMap(([id, rule]) => [make("dt", {textContent: id}), make("dd", {textContent: rule})])))));
  if (!sections.length) $("clauses").textContent = "This game has no written rules here.";
}

// plain returns text without Markdown.
const plain = text => text.replace(/[*`]/g, "").trim();

function drawLinks() {
  if (!links.length) {
    const at = new URLSearchParams(location.hash.slice(1)).get("table");
    try { links = JSON.parse(at && sessionStorage.getItem("links " + at)) ?? []; } catch { links = []; }
  }
  const others = links.map((address, seat) => [address, seat]).filter(([address]) => address);
  $("invite").hidden = !others.length || view.turn === "over";
  $("links").replaceChildren(...others.map(([address, seat]) => {
    const field = make("input", {readOnly: true, value: address, ariaLabel: "address of seat " + seat, onfocus: e => e.target.select()});
    return make("li", {}, badge(seat), field, make("button", {type: "button", textContent: "Copy", ariaLabel: "copy the address of seat " + seat, onclick: () => navigator.clipboard?.writeText(address)}));
  }));
}

// ---- buttons and keys ----

$("new").onclick = () => { show("lobby"); if (view) propose(view.game); $("lobby").querySelector("input:checked")?.focus(); };
$("load").onclick = () => $("file").click();
$("file").onchange = async () => {
  const file = $("file").files[0];
  $("file").value = "";
  if (!file) return;
  if (file.size > 900_000) { notice(`${file.name} is too long for a transcript`); return; }
  replayed(await file.text());
};

// replayed asks for a transcript from one view: everything, then the seats.
function replayed(text, view = 0) {
  sameAgain = text === watched;
  watched = text;
  ask({do: "replay", text, view: view ? String(view - 1) : "full"});
}

$("back").onclick = () => show("match");
$("undo").onclick = () => { fresh = 0; once({do: "undo", decision: view.decision}); };
$("think").onclick = () => once({do: "think", bot: $("adviser").value.trim() || "search-10ms", decision: view.decision});

document.addEventListener("click", e => { if (!$("menu").contains(e.target)) closeMenu(); });
document.addEventListener("keydown", e => {
  if (e.key === "Escape") { $("tip").hidden = true; closeMenu(); return; }
  if (!$("menu").hidden && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
    const items = [...$("menu").children], at = items.indexOf(document.activeElement) + (e.key === "ArrowDown" ? 1 : -1);
    items[(at + items.length) % items.length].focus();
    e.preventDefault();
    return;
  }
  if ($("match").hidden || e.target.matches("input,select,textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
  if (/^[0-9]$/.test(e.key) && view?.turn === "you") {
    const a = view.actions[(+e.key + 9) % 10];
    if (a) choose(a);
  }
  const tool = {u: "undo", t: "think"}[e.key.toLowerCase()];
  if (tool && !$(tool).disabled && !$(tool).hidden) $(tool).click();
  if (e.key.toLowerCase() === "l") $("log").focus();
});

const backend = connect(message => heard[message.is]?.(message));
show("waiting");

// Plays whole matches on the page by clicking, in a real Chromium, and fails if anything is wrong with it.
//
//   node play.mjs URL FOLDER CONFIGURATION…
//
// URL is a page that can open tables, served or static; FOLDER gets screenshots; a configuration is GAME:SEATS, as
// doubloons:6, against random bots, or GAME:SEATS:policy against the trained policy that the page lists for the game. CHROMIUM names
// the browser.
import puppeteer from "puppeteer-core";
import {mkdirSync, readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {chromium} from "./browser.mjs";

const [url, folder, ...configurations] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const origin = new URL(url).origin;
mkdirSync(folder, {recursive: true});

const faults = [];
const fault = text => { faults.push(text); console.error("FAULT", text); };
const need = (ok, text) => { if (!ok) throw new Error(text); };

const launch = () => puppeteer.launch({...chromium, protocolTimeout: 60_000});
let browser = await launch();

async function newPage() {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on("console", m => { if (m.type() === "error" || m.type() === "warn") fault(`console: ${m.text()}`); });
  page.on("pageerror", e => fault(`the page: ${e.message}`));
  page.on("request", r => {
    const to = r.url();
    if (!/^(data|blob):/.test(to) && new URL(to).origin !== origin && new URL(to).origin.replace(/^ws/, "http") !== origin) fault(`a request leaves the origin: ${to}`);
  });
  const wire = await page.createCDPSession();
  await wire.send("Network.enable");
  wire.on("Network.webSocketFrameReceived", ({response}) => { if (response.opcode === 1) told(JSON.parse(response.payloadData)); });
  await page.setViewport({width: 1280, height: 1000});
  await page.evaluateOnNewDocument(axe);
  return page;
}

// told checks what a server tells the page: before the match is over it has neither how it ends nor its seed, nor another hand.
// That no message depends on anything hidden is tested in Go (serve/table).
let messages = 0;
function told(m) {
  messages++;
  if (m.is !== "view" || m.turn === "over") return;
  if ("end" in m || JSON.stringify(m).includes('"seed"')) fault("a message before the end has what is secret until then");
  for (const [, seat] of m.picture.matchAll(/Hand of seat (\d+)/g)) if (+seat !== m.seat) fault(`a message to seat ${m.seat} has the hand of seat ${seat}`);
}

// accessible runs axe-core on what is shown.
async function accessible(page, where) {
  const found = await page.evaluate(async () => (await globalThis.axe.run(document, {resultTypes: ["violations"]})).violations.map(v => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(" | ")}`));
  for (const f of found) fault(`${where}: accessibility: ${f}`);
}

async function shot(page, name, width = 1280, scheme = "light") {
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme}]);
  await page.setViewport({width, height: 1000});
  await page.screenshot({path: join(folder, name + ".png"), fullPage: true});
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 1) fault(`${name}: ${wide} px wider than the window`);
  await page.setViewport({width: 1280, height: 1000});
  await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: "light"}]);
}

// state is what the page shows of the match.
const state = page => page.evaluate(() => ({
  turn: document.getElementById("decision").className,
  question: document.getElementById("question").textContent,
  buttons: document.querySelectorAll("#actions button:not(:disabled)").length,
  marks: document.querySelectorAll(":is(#picture, #hand) [data-mark].can").length,
  menu: !document.getElementById("menu").hidden,
  own: [...document.querySelectorAll("#players li")].findIndex(li => li.classList.contains("own")),
  seats: document.querySelectorAll("#players li").length,
  text: document.getElementById("picture").textContent,
  log: document.getElementById("log").children.length,
  cards: ((document.getElementById("picture").innerHTML + document.getElementById("hand").innerHTML).match(/>[NCG]\d\d</g) ?? []).length,
}));

// asked waits until the person is asked, or the match is over.
const asked = page => page.waitForFunction(() => {
  const turn = document.getElementById("decision").className;
  return !document.getElementById("match").hidden && (turn === "over" || turn === "you" && document.querySelector("#actions button:not(:disabled)"));
}, {polling: 20});

// hidden checks that no hand but the own one is shown; while cards are laid face down, no card but the own ones.
function hidden(s, game) {
  const slot = /for slot (\d)/.exec(s.question);
  if (slot && s.cards !== s.buttons + +slot[1] - 1) fault(`${game}: ${s.question}: ${s.cards} cards are shown, of which ${s.buttons} are in the own hand`);
  for (const [, seat] of s.text.matchAll(/Hand of seat (\d+)/g)) if (+seat !== s.own) fault(`${game}: seat ${s.own} sees the hand of seat ${seat}`);
}

// click clicks what can be seen, as soon as it can be; once more if the page was drawn anew just then.
async function click(page, selector) {
  for (let again = 3; ; again--) {
    await page.waitForSelector(selector, {visible: true});
    try {
      return await page.click(selector);
    } catch (e) {
      if (again === 0 || /timed out/.test(e.message)) throw new Error(`${selector}: ${e.message}`);
    }
  }
}

const games = new Map(); // that list a policy

async function lobby(page, game, seats, opponent) {
  await page.waitForFunction(() => !document.getElementById("new").hidden || !document.getElementById("lobby").hidden);
  await page.evaluate(() => { if (document.getElementById("lobby").hidden) document.getElementById("new").click(); });
  await click(page, `#games input[value="${game}"]`);
  await page.evaluate(n => {
    const select = document.getElementById("set-seats");
    if (select) { select.value = n; select.dispatchEvent(new Event("change")); }
  }, seats);
  await page.waitForFunction((n, g) => document.querySelectorAll("#seats input").length === +n && document.getElementById("others-help").textContent, {}, seats, game);
  const listed = await page.evaluate(() => [...document.getElementById("bots").children].map(o => o.value).filter(v => v.startsWith("policy:")));
  for (const name of listed) {
    if ((games.get(name) ?? game) !== game) fault(`${name} is listed for ${game} and for ${games.get(name)}`);
    games.set(name, game);
  }
  if (opponent === "policy") {
    opponent = listed.at(-1);
    need(opponent, `no policy is listed for ${game}`);
  }
  await page.evaluate(name => { document.getElementById("others").value = name; document.getElementById("seed").value = "5"; }, opponent);
  return opponent;
}

async function play(page, configuration, first) {
  const [game, seats, against = "random"] = configuration.split(":");
  const opponent = await lobby(page, game, seats, against);
  if (first) {
    await accessible(page, "lobby");
    await shot(page, "lobby");
    await shot(page, "lobby-dark-300", 300, "dark");
  }
  await click(page, "#deal");
  let decisions = 0, marked = 0, longest = 0, before = "";
  for (let n = 0, clicked = 0; ; n++) {
    await asked(page);
    if (clicked) longest = Math.max(longest, performance.now() - clicked);
    clicked = 0;
    const s = await state(page);
    if (n === 0) need(s.seats === +seats || game === "leduc", `${s.seats} seats are shown, not ${seats}`);
    if (s.turn === "over") break;
    hidden(s, configuration);
    if (n === 3) {
      await page.reload();
      await asked(page);
      const again = await state(page);
      if (again.question !== s.question || again.log !== s.log) fault(`${configuration}: a reload shows another match: ${again.question}`);
    }
    if (n === 4 && game === "doubloons") {
      await page.evaluate(() => { document.getElementById("adviser").value = "search-1ms"; });
      await click(page, "#think");
      await page.waitForFunction(() => document.querySelector("#thought table"));
      await accessible(page, configuration + ", a thought");
      await asked(page);
    }
    if (n === 5) {
      await page.keyboard.press("u");
      await page.waitForFunction(question => document.getElementById("question").textContent === question, {}, before);
      await asked(page);
      await page.keyboard.press("1");
      decisions++;
      await page.waitForFunction(() => document.querySelector("#actions button:not(:disabled)") || document.getElementById("decision").className === "over");
      continue;
    }
    if (n === 20) {
      await accessible(page, configuration);
      await shot(page, `${game}-${seats}`);
      await shot(page, `${game}-${seats}-dark-300`, 300, "dark");
    }
    const chosen = await page.evaluateHandle(k => {
      const marks = document.querySelectorAll(":is(#picture, #hand) [data-mark].can");
      const list = marks.length && k % 2 === 0 ? marks : document.querySelectorAll("#actions button");
      return list[k % list.length];
    }, n);
    try {
      await chosen.click();
    } catch (e) {
      // The page was drawn anew just then, with other things to choose from.
      if (!await chosen.evaluate(c => c?.isConnected)) continue;
      throw e;
    }
    decisions++;
    before = s.question;
    if (s.marks && n % 2 === 0) marked++;
    if ((await state(page)).menu) await click(page, "#menu button");
    clicked = performance.now();
  }
  await accessible(page, configuration + ", the end");
  await shot(page, `${game}-${seats}-end`);
  const shown = await page.evaluate(() => [...document.querySelectorAll("#players li:not(.own)")].map(li => li.textContent));
  if (!shown.every(text => text.includes(opponent))) fault(`${configuration}: the opponents are shown as ${shown}`);
  if (game === "leduc" || game === "kuhn") {
    await click(page, "#watch-it");
    await page.waitForSelector("#r-picture svg");
    await click(page, "#r-last");
    await accessible(page, configuration + ", the replay");
    await shot(page, `${game}-${seats}-replay`);
    await page.evaluate(() => {
      const view = document.querySelector("#r-view");
      view.selectedIndex = 1;
      view.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() => document.querySelector("#r-view").selectedIndex === 1);
    await click(page, "#back");
  }
  console.log(`${configuration}: over after ${decisions} decisions, ${marked} of them in the picture; ${opponent} took ${longest.toFixed(0)} ms at most until the person was asked again`);
}

// draws tells whether the browser still draws. Now and then it stops doing so for good, and nothing can be clicked any more: that is no
// fault of the page, which continues.
const draws = page => Promise.race([
  page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => drawn(true)))).catch(() => false),
  new Promise(late => setTimeout(late, 5000, false)),
]);

const began = Date.now();
let page = await newPage(), restarts = 2;
await page.goto(url);
for (let i = 0; i < configurations.length; i++) {
  const c = configurations[i];
  try {
    await play(page, c, i === 0);
  } catch (e) {
    if (restarts-- > 0 && !await draws(page)) {
      console.log(`${c}: the browser draws no more (${e.message}): again in a new one`);
      browser.process().kill("SIGKILL");
      browser = await launch();
      page = await newPage();
      await page.goto(url);
      i--;
      continue;
    }
    const at = /play\.mjs:\d+(?!.*node_modules)/.exec(e.stack)?.[0] ?? "";
    const shown = await page.evaluate(() => document.body.innerText.slice(0, 400).replace(/\s+/g, " ")).catch(() => "nothing");
    fault(`${c}: ${e.message} (${at}); the page shows: ${shown}`);
    await page.screenshot({path: join(folder, "fault.png")}).catch(() => {});
    break;
  }
}
await browser.close();
console.log(`${configurations.length} matches, ${messages} messages of a server, in ${((Date.now() - began) / 1000).toFixed(0)} s, ${faults.length} faults; screenshots are in ${folder}`);
process.exit(faults.length ? 1 : 0);

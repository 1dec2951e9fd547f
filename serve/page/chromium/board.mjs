// Plays a match in a real Chromium on examples/board.html of the npm package, as a static host sends it, and loads the package in a worker:
//
//   node board.mjs FOLDER_OF_NODE_MODULES FOLDER_OF_PACKAGE
//
// CHROMIUM names the browser.
import {readFile} from "node:fs/promises";
import {createServer} from "node:http";
import {createRequire} from "node:module";
import {extname, join, normalize, resolve} from "node:path";
import {pathToFileURL} from "node:url";
import {chromium} from "./browser.mjs";

const [modules, folder] = process.argv.slice(2);
const {default: puppeteer} = await import(pathToFileURL(createRequire(`${resolve(modules)}/`).resolve("puppeteer-core")));
const types = {".js": "text/javascript", ".html": "text/html"};

const server = createServer(async (request, response) => {
  const path = normalize(new URL(request.url, "http://host").pathname);
  try {
    const body = path === "/worker.js"
      ? 'import {load} from "/index.js"; const p = await load(); const m = p.match("doubloons(seats=2)", {seed: 1}); postMessage((await m.think("captain", {seed: 1})).action);'
      : await readFile(join(folder, path));
    response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream");
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise(ready => server.listen(0, "127.0.0.1", ready));

const browser = await puppeteer.launch(chromium);
const need = (ok, text) => { if (!ok) throw new Error(text); };
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", error => { console.error("FAULT", error.message); process.exitCode = 1; });
  await page.goto(`http://127.0.0.1:${server.address().port}/examples/board.html`);
  const before = await page.evaluate(() => "Go" in globalThis || "fs" in globalThis || "process" in globalThis);
  need(!before, "the module has written to the global object");
  let clicks = 0;
  for (;; clicks++) {
    await page.waitForFunction(() => document.getElementById("question").textContent.startsWith("Over") || document.querySelector("#choices button"));
    const over = await page.evaluate(() => {
      const buttons = document.querySelectorAll("#choices button");
      if (buttons.length === 0) return document.getElementById("question").textContent;
      const last = buttons[buttons.length - 1];
      document.getElementById("choices").replaceChildren();
      last.click();
    });
    if (over) {
      const told = await page.evaluate(() => document.getElementById("log").children.length);
      const ships = await page.evaluate(() => document.getElementById("sea").textContent.match(/hull/g).length);
      need(clicks > 10 && told > 50 && ships === 2, `${clicks} clicks, ${told} sentences and ${ships} ships are too few`);
      console.log(`a board of one's own: ${clicks} clicks, ${told} sentences. ${over}`);
      break;
    }
  }
  const [there, here] = await page.evaluate(async () => {
    const worker = new Worker("/worker.js", {type: "module"});
    const there = await new Promise((done, failed) => { worker.onmessage = e => done(e.data); worker.onerror = failed; });
    const {load} = await import("/index.js");
    const m = (await load()).match("doubloons(seats=2)", {seed: 1});
    return [there, (await m.think("captain", {seed: 1})).action];
  });
  need(there === here, `a worker chooses ${there}, the page ${here}`);
  console.log(`in a worker the captain chooses the same action, ${there}`);
} finally {
  await browser.close();
  server.close();
}

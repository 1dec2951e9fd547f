// Checks exported policies in a real Chromium, each against the decisions beside it: the ONNX model in onnxruntime-web,
// and the bundle, where it lies there too, in policy.js.
//
//   node onnx.mjs FOLDER_OF_NODE_MODULES STEM…
//
// STEM.onnx, STEM.onnx.json, STEM.golden.json and perhaps STEM.bundle are what privateer export writes. The largest differences
// are printed; of a logit it is the share of its decision's largest, or of 1. CHROMIUM names the browser.
import {existsSync} from "node:fs";
import {readFile} from "node:fs/promises";
import {createServer} from "node:http";
import {createRequire} from "node:module";
import {basename, extname, join, resolve} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {chromium} from "./browser.mjs";

const [modules, ...stems] = process.argv.slice(2);
if (stems.length === 0) throw new Error("name what to check: node onnx.mjs FOLDER_OF_NODE_MODULES STEM…");
const {default: puppeteer} = await import(pathToFileURL(createRequire(`${resolve(modules)}/`).resolve("puppeteer-core")));
const types = {".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json", ".wasm": "application/wasm"};

// file is what a path of the server stands for: /policy.js, /ort/FILE, and /K/ENDING of the K-th stem.
function file(path) {
  const [, folder, name] = path.split("/");
  if (folder === "policy.js") return fileURLToPath(new URL("../js/policy.js", import.meta.url));
  if (folder === "ort") return join(modules, "onnxruntime-web", "dist", basename(name));
  return stems[folder] && `${stems[folder]}.${name}`;
}

const server = createServer(async (request, response) => {
  const from = file(request.url);
  try {
    const body = request.url === "/" ? "<!doctype html><title>policies</title>" : await readFile(from);
    response.setHeader("content-type", request.url === "/" ? "text/html" : types[extname(from)] ?? "application/octet-stream");
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise(ready => server.listen(0, "127.0.0.1", ready));

// compare runs in the page. What it returns is, for each player there is, how far it is from the program.
async function compare(stem, packed) {
  const {MASKED, loadBundle, loadOnnx} = await import("/policy.js");
  const ort = await import("/ort/ort.wasm.min.mjs");
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = "/ort/";
  const get = async name => {
    const answer = await fetch(`/${stem}/${name}`);
    if (!answer.ok) throw new Error(`there is no file .${name} beside the model`);
    return answer;
  };
  const bytes = async name => new Uint8Array(await (await get(name)).arrayBuffer());
  const onnx = await loadOnnx(ort, await bytes("onnx"), await (await get("onnx.json")).json());
  const own = packed && await loadBundle(await bytes("bundle"));
  const {decisions, tolerance} = await (await get("golden.json")).json();
  // A difference that is no number is as large as can be: it must not pass.
  const most = (far, got, want, scale = 1) => Math.max(far, Number.isFinite(got) ? Math.abs(got - want) / scale : Infinity);
  const apart = {logits: 0, probabilities: 0, values: 0, ...(own ? {"probabilities of policy.js": 0} : {})};
  for (const [k, known] of decisions.entries()) {
    const mask = new Uint8Array(onnx.actions.length);
    for (const action of known.legal) mask[action] = 1;
    const decision = {observation: known.observation, mask, rows: Uint8Array.from((known.action_rows ?? []).flat())};
    const {logits, probabilities, value} = await onnx.run(decision);
    const largest = Math.max(1, ...known.logits.map(Math.abs));
    const alone = own && own.probabilities(decision);
    known.legal.forEach((action, i) => {
      apart.logits = most(apart.logits, logits[action], known.logits[i], largest);
      apart.probabilities = most(apart.probabilities, probabilities[action], known.probabilities[i]);
      if (own) apart["probabilities of policy.js"] = most(apart["probabilities of policy.js"], alone[action], known.probabilities[i]);
    });
    const dearest = Math.max(1, ...(known.values ?? []).map(Math.abs));
    (known.values ?? []).forEach((want, k) => { apart.values = most(apart.values, value[k], want, dearest); });
    mask.forEach((legal, a) => { if (!legal && (probabilities[a] !== 0 || logits[a] !== MASKED)) throw new Error("an action that is not legal is not masked"); });
    if (k % 10 > 0) continue; // to choose is to compute all of it again
    if (!mask[await onnx.act(decision)] || own && !mask[own.act(decision)]) throw new Error("what it plays is not legal");
  }
  return {apart, tolerance, decisions: decisions.length};
}

const browser = await puppeteer.launch(chromium);
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  page.on("pageerror", error => { console.error("FAULT", error.message); process.exitCode = 1; });
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  for (const [k, stem] of stems.entries()) {
    const {apart, tolerance, decisions} = await page.evaluate(compare, k, existsSync(`${stem}.bundle`));
    const told = Object.entries(apart).map(([what, far]) => `${what} ${far.toExponential(1)}`).join(", ");
    console.log(`${basename(stem)} in Chromium: ${decisions} decisions; furthest from the program: ${told}`);
    if (decisions === 0 || !Object.values(apart).every(far => far <= tolerance)) {
      console.error("FAULT", `${basename(stem)}: want decisions, all within ${tolerance} of the program`);
      process.exitCode = 1;
    }
  }
} finally {
  await browser.close();
  server.close();
}

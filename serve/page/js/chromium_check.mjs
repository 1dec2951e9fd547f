// Checks an exported policy in a real Chromium: the bundle by policy.js itself, and the ONNX model by onnxruntime-web,
// against the decisions beside them.
//
//   node chromium_check.mjs FOLDER_OF_NODE_MODULES BUNDLE STEM
//
// CHROMIUM names the browser.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, bundle, stem] = process.argv.slice(2);
const { default: puppeteer } = await import(pathToFileURL(createRequire(`${modules}/`).resolve("puppeteer-core")));
const files = {
  "/bundle": bundle, "/model": `${stem}.onnx`, "/manifest": `${stem}.onnx.json`, "/golden": `${stem}.golden.json`,
  "/policy.js": new URL("policy.js", import.meta.url),
};
const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };
const server = createServer(async (request, response) => {
  const runtime = request.url.startsWith("/ort/") && join(modules, "onnxruntime-web", "dist", basename(request.url));
  const file = files[request.url] ?? runtime;
  try {
    response.setHeader("content-type", types[extname(request.url)] ?? (file ? "application/octet-stream" : "text/html"));
    response.end(file ? await readFile(file) : "<!doctype html><title>policies</title>");
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const apart = await page.evaluate(async () => {
    const { loadBundle, loadOnnx } = await import("/policy.js");
    const ort = await import("/ort/ort.wasm.min.mjs");
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = "/ort/";
    const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
    const own = await loadBundle(await bytes("/bundle"));
    const onnx = await loadOnnx(ort, await bytes("/model"), await (await fetch("/manifest")).json());
    const { decisions } = await (await fetch("/golden")).json();
    let most = 0;
    for (const known of decisions.slice(0, 200)) {
      const mask = new Uint8Array(own.actions.length);
      for (const action of known.legal) mask[action] = 1;
      const decision = { observation: known.observation, mask, rows: Uint8Array.from((known.action_rows ?? []).flat()) };
      for (const probabilities of [own.probabilities(decision), (await onnx.run(decision)).probabilities]) {
        known.legal.forEach((action, i) => (most = Math.max(most, Math.abs(probabilities[action] - known.probabilities[i]))));
      }
      if (!mask[own.act(decision)] || !mask[await onnx.act(decision)]) throw new Error("what it plays is not legal");
    }
    return most;
  });
  if (!(apart <= 1e-5) || errors.length > 0) throw new Error(`probabilities are ${apart} from the program's; ${errors.join("; ")}`);
  console.log(`in Chromium: within ${apart.toExponential(1)} of the program`);
} finally {
  await browser.close();
  server.close();
}

// Checks an exported ONNX model in onnxruntime-web against the decisions beside it:
//
//   node onnx_check.mjs FOLDER_OF_ONNXRUNTIME_WEB STEM
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { BundleError, MASKED, loadOnnx } from "./policy.js";

const [runtime, stem] = process.argv.slice(2);
const ort = await import(pathToFileURL(createRequire(`${runtime}/`).resolve("onnxruntime-web")));
ort.env.wasm.numThreads = 1;
const manifest = JSON.parse(await readFile(`${stem}.onnx.json`, "utf8"));
const policy = await loadOnnx(ort, await readFile(`${stem}.onnx`), manifest);
const { decisions, tolerance } = JSON.parse(await readFile(`${stem}.golden.json`, "utf8"));
const near = (got, want, scale = 1) => Math.abs(got - want) <= tolerance * scale;
for (const known of decisions.slice(0, 100)) {
  const mask = new Uint8Array(policy.actions.length);
  for (const action of known.legal) mask[action] = 1;
  const decision = { observation: known.observation, mask, rows: Uint8Array.from((known.action_rows ?? []).flat()) };
  const { logits, probabilities, value } = await policy.run(decision);
  const agrees =
    known.legal.every((action, i) => near(probabilities[action], known.probabilities[i])) &&
    mask.every((legal, action) => legal || (probabilities[action] === 0 && logits[action] === MASKED)) &&
    (known.values ?? []).every((want, k) => near(value[k], want, Math.max(1, ...known.values.map(Math.abs))));
  if (!agrees || !mask[await policy.act(decision)]) throw new Error("the model computes something else than the program");
}
await loadOnnx(ort, new Uint8Array(0), { format: "bundle" }).then(
  () => { throw new Error("a foreign manifest is taken"); },
  (error) => { if (!(error instanceof BundleError)) throw error; },
);
console.log("100 decisions agree");

// A match that an exported network plays in Node, in all seats: our encoder makes what it reads, onnxruntime-node computes it.
//
//   privateer export captain --format onnx --out captain.onnx
//   npm install privateer onnxruntime-node
//   node examples/onnx.mjs captain.onnx
//
// In a program of yours the imports are from "privateer" and "privateer/policy".
import { readFile } from "node:fs/promises";
import * as ort from "onnxruntime-node";
import { load } from "../index.js";
import { loadOnnx } from "../policy.js";

const [model] = process.argv.slice(2);
const policy = await loadOnnx(ort, await readFile(model), JSON.parse(await readFile(`${model}.json`, "utf8")));
const p = await load();
const match = p.match(policy.game, { seed: 7 }); // which says what its rows have

let decisions = 0, alike = 0;
for (; !match.over; decisions++) {
  const action = await policy.act(match.encode());
  alike += action === (await match.think("captain")).action; // in whole numbers, where the network has floats
  match.apply(action);
}
console.log(`${decisions} decisions, ${alike} of them the captain's of the package; returns ${match.returns}`);
if (alike < 0.99 * decisions) process.exitCode = 1;

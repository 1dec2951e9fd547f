// A policy in JavaScript, in 30 lines:
//
//   privateer export pirate.bundle --format onnx
//   node examples/policy.mjs pirate.bundle pirate.golden.json
//
// In a page the bytes come from fetch(…).arrayBuffer(), and all else is the same. The decisions that this one is asked are
// those beside the exported file; each has what the program itself computed.
import { readFile } from "node:fs/promises";
import { loadBundle } from "../policy.js";

const [bundle, golden] = process.argv.slice(2);
const policy = await loadBundle(await readFile(bundle));
console.log(`${policy.game}: ${policy.actions.length} actions, plays by ${policy.choice}`);

const { decisions, tolerance } = JSON.parse(await readFile(golden, "utf8"));
let most = 0;
for (const known of decisions) {
  const mask = new Uint8Array(policy.actions.length);
  for (const action of known.legal) mask[action] = 1;
  const decision = { observation: known.observation, mask, rows: Uint8Array.from((known.action_rows ?? []).flat()) };
  const probabilities = policy.probabilities(decision);
  known.legal.forEach((action, i) => (most = Math.max(most, Math.abs(probabilities[action] - known.probabilities[i]))));
  const action = policy.act(decision);
  if (!mask[action]) throw new Error(`it plays ${policy.actions[action]}, which is not legal`);
}
console.log(`${decisions.length} decisions, probabilities within ${most.toExponential(1)} of the program's`);
if (most > tolerance) process.exitCode = 1;

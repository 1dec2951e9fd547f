// Runs the program of a page's folder under Node and answers questions about it, JSON a line:
//
//   node node.mjs FOLDER < questions > answers
//
// A question is [name, arguments…] of what serve/page/wasm offers: match, outputs, or ask, whose
// answers come in a list with the milliseconds that they took.
import {readFileSync} from "node:fs";
import {join} from "node:path";
import {createInterface} from "node:readline";
import vm from "node:vm";

const folder = process.argv[2];
const file = name => new Uint8Array(readFileSync(join(folder, name)));
for (const name of ["wasm_exec.js", "unpack.js"]) {
  vm.runInThisContext(readFileSync(join(folder, name), "utf8"), name);
}

const policies = JSON.parse(readFileSync(join(folder, "policies.json"), "utf8"));
let heard = [];
let ready;
const running = new Promise(done => { ready = done; });
globalThis.host = {
  answer: text => text === '{"is":"ready"}' ? ready() : heard.push(JSON.parse(text)),
  keep: () => {},
  policies: Object.fromEntries(policies.map(p => [p.name, p.game])),
  bundle: async name => file(policies.find(p => p.name === name).file),
};
const go = new Go();
const {instance} = await WebAssembly.instantiate(vm.runInThisContext("unpack")(file("privateer.wasm.lzma")), go.importObject);
go.run(instance).then(() => process.exit(1));
await running;

for await (const line of createInterface({input: process.stdin})) {
  const [name, ...args] = JSON.parse(line);
  let answer;
  if (name === "ask") {
    const began = performance.now();
    heard = [];
    globalThis.privateer.ask(...args);
    while (!heard.length) await new Promise(done => setTimeout(done, 0));
    answer = {heard, ms: performance.now() - began};
  } else {
    answer = await globalThis.privateer[name](...args);
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
process.exit(0);

// Answers what native_test.go asks, JSON a line, with the npm package in a folder:
//
//   node same.mjs FOLDER < questions > answers
//
// {game, seed, actions} is answered by digests of what the package shows of that match, every 16th step, and
// {game, seed, actions, player} by what the player thinks of each decision.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { FULL, load } = await import(pathToFileURL(resolve(process.argv[2], "index.js")));
const p = await load();

// canonical is JSON with its keys in order.
function canonical(x) {
  if (Array.isArray(x)) return `[${x.map(canonical)}]`;
  if (x === null || typeof x !== "object") return JSON.stringify(x);
  return `{${Object.keys(x).sort().map(key => `${JSON.stringify(key)}:${canonical(x[key])}`)}}`;
}

function digests({ game, seed, actions }) {
  const m = p.match(game, { seed }), all = [];
  let hash = createHash("sha256");
  for (let i = 0; i <= actions.length; i++) {
    hash.update(`${i} ${m.seat}\n`);
    if (m.seat >= 0) {
      const { observation, mask, rows } = m.encode();
      hash.update(observation).update(mask).update(rows);
    }
    if (i % 16 === 0 || i === actions.length) {
      for (const view of [FULL, 0]) {
        const { seen, events, log } = m.events(view);
        for (const part of [canonical(m.view(view)), m.svg(view), m.text(view), String(seen), canonical(events), ...log]) hash.update(part + "\n");
      }
      for (const c of m.legal()) hash.update(`${c.action} ${c.name} ${c.words}\n`);
      hash.update(`${m.decision}\n${m.returns.join(" ")}\n`);
      all.push(hash.digest("hex"));
      hash = createHash("sha256");
    }
    if (i < actions.length) m.apply(actions[i]);
  }
  m.free();
  return all;
}

const bits = x => Buffer.from(Float64Array.of(x).buffer).reverse().toString("hex");

async function thoughts({ game, seed, actions, player }) {
  const m = p.match(game, { seed }), all = [];
  for (const [i, action] of actions.entries()) {
    if (m.seat >= 0) {
      const { action, probabilities, value } = await m.think(player, { seed: i });
      all.push([String(action), ...m.legal().map(c => bits(probabilities[c.action])), ...value.map(x => x === null ? "" : bits(x))].join(" "));
    }
    m.apply(action);
  }
  m.free();
  return all;
}

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  process.stdout.write(JSON.stringify(question.player ? await thoughts(question) : digests(question)) + "\n");
}

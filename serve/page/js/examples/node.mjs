// A match in Node with players of our own and the captain, and what a network of our own would read:
//
//   node examples/node.mjs
//
// In a program of yours the first import is from "privateer".
import { FULL, load } from "../index.js";

const p = await load();
const match = p.match("doubloons(seats=3)", { seed: 7 });
const { row } = p.game(match.game);

while (!match.over) {
  if (match.seat === 0) {
    // Seat 0 is ours. It could look at match.view(0), match.events(0) and match.legal(), or compute a network of what this returns.
    const { mask, rows } = match.encode();
    if (rows.length !== row * mask.reduce((sum, legal) => sum + legal, 0)) throw new Error("a row for each legal action");
    match.apply(match.legal().at(-1).action);
  } else {
    const { action } = await match.think("captain");
    match.apply(action);
  }
}
console.log(match.events(0).log.slice(-10).join("\n")); // as seat 0 was told it
console.log(match.text(FULL));
console.log("returns", match.returns);

// A position that a table tells, as much of it as matters: what would the captain do?
const told = p.read("doubloons(seats=2)", {
  phase: "action", slot: 1, turn: 0,
  ships: [{ captain: "valparisa", region: 1, hull: 3, table: ["N33"] }, { captain: "hayreddin", region: 3, table: ["N10"] }],
});
const { name, value } = await told.think("captain", { seed: 1 });
console.log(`${told.decision}: ${name}, of value ${value[told.seat]}`);

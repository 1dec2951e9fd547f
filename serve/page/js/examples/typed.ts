// The same in TypeScript: who wins more often, the captain or the heuristic?
import { load, type Choice, type Match, type Thought, PrivateerError } from "privateer";
import { loadBundle, type Decision } from "privateer/policy";

const p = await load();

async function play(seed: number, players: string[]): Promise<number[]> {
  const match: Match = p.match("doubloons(seats=2)", { seed });
  for (let n = 0; !match.over; n++) {
    const thought: Thought = await match.think(players[match.seat]!, { seed: n });
    match.apply(thought.action);
  }
  const returns = match.returns;
  match.free();
  return returns;
}

let sum = 0;
for (let seed = 0; seed < 4; seed++) {
  const [captain, heuristic] = await play(seed, ["captain", "heuristic"]);
  sum += captain! - heuristic!;
}
console.log(`the captain is ahead by ${sum / 4} a match`);

/** A bundle of one's own, computed in JavaScript of what the encoder writes. */
export async function own(match: Match, bytes: Uint8Array): Promise<Choice> {
  const policy = await loadBundle(bytes);
  const decision: Decision = match.encode();
  const action = policy.act(decision);
  const chosen = match.legal().find(c => c.action === action);
  if (!chosen) throw new Error(`${policy.actions[action]} is not legal`);
  return chosen;
}

try {
  p.match("chess");
} catch (error) {
  if (!(error instanceof PrivateerError) || error.code !== "unknown_game") throw error;
}

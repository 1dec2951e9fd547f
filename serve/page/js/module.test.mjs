// What the npm package does, as one of its users sees it: test.sh runs this where it is installed.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import test from "node:test";
import { CHANCE, FULL, Match, OVER, Privateer, PrivateerError, load } from "privateer";
import { loadBundle } from "privateer/policy";

const home = new URL("./node_modules/privateer/", import.meta.url);
const before = Object.keys(globalThis);
const p = await load();
const refused = code => error => error instanceof PrivateerError && error.code === code && error.message.length > 10;

test("the global objects are as they were", () => {
  assert.deepEqual(Object.keys(globalThis), before);
});

test("games, policies and players are listed", async () => {
  const { version } = JSON.parse(await readFile(new URL("package.json", home)));
  assert.equal(p.version, version);
  assert.deepEqual(p.games().map(g => g.game), ["doubloons", "jolly_roger", "kuhn", "leduc", "liars_dice"]);
  assert.ok(p.policies().some(l => l.name === "captain" && l.game === "doubloons"));
  const info = p.game("doubloons(seats=3)");
  assert.equal(info.seats, 3);
  assert.ok(info.players.includes("heuristic") && info.players.includes("policy:captain"));
});

test("a seed is a match, and a copy goes its own way", async () => {
  const [a, b, other] = [7, 7n, "8"].map(seed => p.match("doubloons(seats=2)", { seed }));
  assert.deepEqual(a.view(FULL), b.view(FULL));
  assert.notDeepEqual(a.view(FULL), other.view(FULL));
  assert.notDeepEqual(p.match("leduc").view(FULL).generator, p.match("leduc").view(FULL).generator);
  const copy = a.copy();
  for (let n = 0; n < 60; n++) copy.apply((await copy.think("captain", { seed: n })).action);
  assert.deepEqual(a.view(FULL), b.view(FULL));
  assert.notDeepEqual(copy.view(FULL), a.view(FULL));
});

test("a match is played to its end, and its position read back", async () => {
  for (const [game, player] of [["doubloons(seats=3)", "captain"], ["jolly_roger(seats=5)", "heuristic"], ["leduc", "random"]]) {
    const m = p.match(game, { seed: 3 });
    assert.equal(m.game, p.game(game).config);
    for (let n = 0; !m.over; n++) {
      const legal = m.legal();
      const { mask, rows, observation } = m.encode();
      const info = p.game(game);
      assert.deepEqual(legal.map(c => c.action), [...mask.keys()].filter(a => mask[a]));
      assert.equal(rows.length, info.row * legal.length);
      assert.equal(observation.length, info.observation);
      if (n % 20 === 0) {
        const again = p.read(game, m.view(FULL));
        assert.deepEqual(again.view(FULL), m.view(FULL));
        assert.deepEqual(again.encode(), m.encode());
        assert.deepEqual(await again.think(player, { seed: n }), await m.think(player, { seed: n }));
        assert.match(m.svg(m.seat), /^<svg/);
        assert.ok(m.text(0).length > 10);
      }
      const { action, name, probabilities, value, account } = await m.think(player, { seed: n });
      assert.equal(legal.find(c => c.action === action).name, name);
      assert.ok(Math.abs(probabilities.reduce((sum, x) => sum + x, 0) - 1) < 1e-6 && probabilities[action] > 0);
      assert.ok(probabilities.every((x, a) => mask[a] || x === 0));
      assert.equal(value.length, info.seats);
      assert.equal(account.choice, name);
      m.apply(n % 2 ? name : action);
    }
    assert.equal(m.seat, OVER);
    assert.deepEqual(m.legal(), []);
    assert.ok(Math.abs(m.returns.reduce((sum, x) => sum + x, 0)) < 1e-5);
  }
});

test("what a network reads decides what the policy of the same bundle does", async () => {
  const [file] = (await readdir(new URL("policies/", home))).filter(name => name.startsWith("captain."));
  const policy = await loadBundle(await readFile(new URL(`policies/${file}`, home)));
  const m = p.match(policy.game, { seed: 2 }); // whose rows have the advice that it reads
  for (let n = 0; n < 40; n++) {
    const { account, action } = await m.think("captain", { seed: 1 });
    const best = account.actions.reduce((a, b) => (b.prior_weight > a.prior_weight ? b : a));
    const own = policy.logits(m.encode());
    const [first, second] = [...own].sort((a, b) => b - a);
    if (second === undefined || first - second > .1) assert.equal(m.legal()[own.indexOf(first)].name, best.action);
    m.apply(action);
  }
});

test("a match is recorded and replayed", async () => {
  for (const game of ["leduc", "kuhn(chance=explicit)", "jolly_roger(seats=3)"]) {
    const m = p.match(game, { seed: 2n ** 60n });
    const early = m.copy();
    for (let n = 0; !m.over; n++) m.apply(m.seat === CHANCE ? m.legal()[0].action : (await m.think("random", { seed: n })).action);
    const record = m.transcript();
    assert.equal(record.seed, String(2n ** 60n));
    assert.deepEqual(record.returns, m.returns);
    assert.deepEqual([early.transcript().steps, early.transcript().returns], [[], null]);
    const again = p.replay({ ...record, tags: { event: "a test" } });
    assert.deepEqual(again.view(FULL), m.view(FULL));
    assert.deepEqual(again.transcript(), record);
    assert.throws(() => p.replay({ ...record, returns: record.returns.map(x => x + 1) }), refused("bad_transcript"));
    assert.throws(() => p.replay({ ...record, steps: [{ seat: 0, action: "jump" }] }), refused("bad_transcript"));
    assert.throws(() => p.replay({ ...record, game: "chess" }), refused("unknown_game"));
    assert.throws(() => p.read(game, m.view(FULL)).transcript(), refused("bad_transcript"));
  }
});

test("what is hidden from a seat does not show", async () => {
  const m = p.match("doubloons(seats=2)", { seed: 5 });
  while (!/card/.test(m.decision)) m.apply(m.legal()[0].action);
  const other = 1 - m.seat;
  const hand = m.view(m.seat).ships[m.seat].hand;
  assert.ok(Array.isArray(hand) && hand.length > 0);
  assert.ok(!Array.isArray(m.view(other).ships[m.seat].hand));
  assert.ok(!("generator" in m.view(other)));
  assert.deepEqual(m.encode(other).mask, new Uint8Array(p.game(m.game).actions.length));
  assert.equal(m.encode(other).rows.length, 0);
  const told = [other, m.seat].map(seat => m.events(seat).events.filter(e => e.kind === "drew_card" && e.seat === m.seat));
  assert.ok(told[0].length > 0 && told[0].every(e => !("card" in e)) && told[1].every(e => "card" in e));
});

test("events are told once to each seat", () => {
  const m = p.match("leduc", { seed: 1 });
  assert.ok(m.events(0).log.length > 0);
  assert.deepEqual(m.events(0), { seen: true, events: [], log: [] });
  m.apply("call");
  const now = m.events(1).log.at(-1);
  assert.match(now, /^Seat 0 /);
  assert.equal(m.events(0).log.at(-1), now);
  assert.deepEqual(m.events(0).log, []);
});

test("what a seat is told becomes a match that it may be in", async () => {
  for (const [game, player] of [["doubloons(seats=3)", "captain"], ["leduc", "random"], ["jolly_roger(seats=3,variants=hidden_prizes)", "pirate"]]) {
    const m = p.match(game, { seed: 11 });
    const tracker = p.track(game, 0);
    let told = m.events(0).events;
    let asked = 0;
    for (let n = 0; !m.over && asked < 12; n++) {
      if (m.seat === 0) {
        asked++;
        assert.throws(() => tracker.asked([...told, { seat: 0, action: m.legal()[0].action }, { seat: 7, action: 0 }]), refused("bad_told"));
        const now = tracker.asked(told);
        told = [];
        assert.deepEqual(now.legal(), m.legal());
        assert.deepEqual(now.view(0), m.view(0));
        assert.deepEqual(now.encode(), m.encode());
        assert.deepEqual((await now.think(player, { seed: 1 })).probabilities, (await m.think(player, { seed: 1 })).probabilities);
      }
      const { seat } = m;
      const { action, name } = await m.think("random", { seed: n });
      const open = seat === 0 || !(name === "pass" && !m.events(0).seen) && !/^(card|offer)=/.test(name); // those are chosen face down
      if (open) told.push({ seat, action: n % 2 ? name : action });
      m.apply(action);
      told.push(...m.events(0).events);
    }
    assert.ok(asked > 0);
  }
  assert.throws(() => p.track("leduc", 2), refused("wrong_seat"));
  assert.throws(() => p.track("chess", 0), refused("unknown_game"));
  const tracker = p.track("leduc", 0);
  assert.throws(() => tracker.asked("{"), refused("bad_told"));
  assert.throws(() => tracker.asked([{ kind: "sank" }]), refused("bad_told"));
});

test("chance is the caller's where the game string says so", () => {
  const m = p.match("kuhn(chance=explicit)");
  assert.equal(m.seat, CHANCE);
  assert.deepEqual(m.legal().map(c => [c.name, c.probability]), [["deal=J", 1 / 3], ["deal=Q", 1 / 3], ["deal=K", 1 / 3]]);
  m.apply("deal=K");
  m.apply(m.legal()[0].action);
  assert.equal(m.seat, 0);
});

test("a policy of one's own plays by its name", async () => {
  const [file] = (await readdir(new URL("policies/", home))).filter(name => name.startsWith("captain."));
  const bytes = await readFile(new URL(`policies/${file}`, home));
  const own = await load();
  const name = own.policy(bytes);
  assert.ok(file.includes(name));
  assert.equal(own.policy(bytes, "mine"), "mine");
  const m = own.match("doubloons(seats=2)", { seed: 1 });
  const [a, b, c] = await Promise.all([name, "mine", "policy:captain"].map(player => m.think(player, { seed: 4 })));
  assert.deepEqual(a.probabilities, c.probabilities);
  assert.deepEqual(b.probabilities, c.probabilities);
  assert.throws(() => own.policy(bytes, "captain"), refused("bad_argument"));
  assert.throws(() => own.policy(bytes.subarray(0, 1000)), refused("bad_policy"));
  await assert.rejects(own.match("leduc").think("mine"), refused("misfit"));
  assert.ok(!p.policies().some(l => l.name === "mine"), "another program has it too");
});

test("searches think, with a policy too", async () => {
  const m = p.match("doubloons(seats=2)", { seed: 1 });
  const { account } = await m.think("search(rollouts=40,policy=captain)", { seed: 1 });
  assert.ok(account.actions.some(a => a.visits > 0 && a.mean !== null && a.standard_error !== null));
});

test("a match that thinks may continue, be freed, and be asked by many", async () => {
  const m = p.match("doubloons(seats=2)", { seed: 1 });
  const was = await m.think("captain", { seed: 1 });
  const many = Array.from({ length: 2000 }, () => m.think("captain", { seed: 1 }));
  m.apply(0);
  m.free();
  for (const thought of await Promise.all(many)) assert.equal(thought.action, was.action);
});

// No argument, of whatever kind, may do more than be refused.
const odd = [undefined, null, true, -1, 1.5, NaN, 1e300, 2 ** 31, 12345n, "", "x", "doubloons(", "kuhn\0", "\ud800", [], {}, Symbol("s"), () => {}, new Uint8Array(3)];
const codes = new Set(["bad_argument", "unknown_game", "bad_position", "illegal_action", "wrong_seat", "unknown_player", "bad_policy", "misfit"]);

test("what means nothing is refused, and the rest continues", async () => {
  const m = p.match("leduc", { seed: 1 });
  const was = m.view(FULL);
  const calls = [
    x => p.game(x), x => p.match(x), x => p.match("kuhn", { seed: x }), x => p.read(x, {}), x => p.read("leduc", x), x => p.policy(x), x => p.policy(new Uint8Array(9), x),
    x => m.apply(x), x => m.view(x), x => m.svg(x), x => m.text(x), x => m.events(x), x => m.encode(x), x => m.think(x), x => m.think("random", { seed: x }),
  ];
  let all = 0;
  for (const call of calls) {
    for (const x of odd) {
      try {
        await call(x);
      } catch (error) {
        assert.ok(error instanceof PrivateerError && codes.has(error.code), `${call}: ${String(x)}: ${error.stack}`);
        all++;
      }
    }
  }
  assert.ok(all > 200, `${all} were refused`);
  assert.deepEqual(m.view(FULL), was);
  for (const [code, call] of [
    ["unknown_game", () => p.match("chess")],
    ["unknown_game", () => p.match("doubloons(components=/etc/passwd)")],
    ["illegal_action", () => m.apply(9999)],
    ["illegal_action", () => m.apply("fold=7")],
    ["wrong_seat", () => m.view(2)],
    ["wrong_seat", () => m.encode(FULL)],
    ["bad_position", () => p.read("leduc", '{"hands": ')],
    ["bad_position", () => p.read("leduc", { hands: ["X", "Q"] })],
    ["misfit", () => p.read("leduc", { game: "kuhn" })],
    ["bad_argument", () => p.match("leduc", { seed: 2 ** 60 })],
    ["unknown_player", () => m.think("nobody")],
    ["misfit", () => m.think("captain")],
  ]) await assert.rejects(async () => call(), refused(code));
  m.apply(m.legal()[0].action);
});

test("a match that was freed is refused", async () => {
  const m = p.match("leduc");
  m.free();
  m.free();
  for (const call of [() => m.seat, () => m.apply(0), () => m.view(0), () => m.copy(), () => m.encode(0)]) assert.throws(call, refused("freed"));
  await assert.rejects(m.think("random"), refused("freed"));
});

test("files that are missing, damaged or of another version are refused", async () => {
  await assert.rejects(load({ wasm: new URL("nothing.wasm", home) }), refused("not_loaded"));
  await assert.rejects(load({ wasm: new Uint8Array(1000) }), refused("not_loaded"));
  await assert.rejects(load({ wasm: 7 }), refused("bad_argument"));
  const packed = await readFile(new URL("privateer.wasm.lzma", home));
  await assert.rejects(load({ wasm: packed.subarray(0, packed.length / 2) }), refused("not_loaded"));
  const { unpack } = await import(new URL("unpack.js", home));
  const program = unpack(packed);
  assert.equal((await load({ wasm: program })).version, p.version);
  const text = Buffer.from(program), mark = Buffer.from(`v${p.version}`);
  let marks = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    text[at + 1] ^= 8;
    marks++;
  }
  assert.ok(marks > 0);
  await assert.rejects(load({ wasm: text }), refused("wrong_version"));
  const far = await load({ policies: new URL("elsewhere/", home) });
  await assert.rejects(far.match("doubloons(seats=2)").think("captain"), refused("bad_policy"));
  const near = await load({ policies: new URL("policies", home) });
  assert.ok(await near.match("doubloons(seats=2)").think("captain"));
});

test("classes are those that the types name", () => {
  assert.ok(p instanceof Privateer && p.match("kuhn") instanceof Match);
});

// privateer in JavaScript, in browsers, in workers and in Node: games, matches, encoders and bots, computed by the WebAssembly
// beside this file. README.md shows how to use it, index.d.ts has the types; serve/page/wasm describes the functions of the WebAssembly.
import * as files from "./files.js";
import { unpack } from "./unpack.js";
import runtime from "./wasm_exec.js";

/** The value of `Match.seat` if chance is to act: only in games with `chance=explicit`. */
export const CHANCE = -1;
/** The value of `Match.seat` when the match is over. */
export const OVER = -2;
/** In place of a seat: nothing is hidden. */
export const FULL = -1;

/** An error: a stable code, and a text that names the thing and the fix. */
export class PrivateerError extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.name = "PrivateerError";
    this.code = code;
  }
}

/**
 * Load privateer. Each call returns a separate program, with its own matches and policies.
 * @param {object} [options]
 * @param {string|URL|BufferSource} [options.wasm] the WebAssembly, packed or not: its address, or its bytes; by default beside this file
 * @param {string|URL} [options.policies] the folder of the bundled policies; by default beside this file
 */
export async function load({ wasm = files.wasm, policies } = {}) {
  const bundles = new Map(files.policies.map(p => [p.name, policies === undefined ? p.url : within(policies, p.file)]));
  const host = {
    policies: files.policies,
    bundle: name => bytesOf(bundles.get(name), `the policy ${name}`),
    failure: (code, text) => new PrivateerError(code, text),
  };
  const scope = {
    host, Object, Array, Uint8Array, Promise, String, Date, Error, TextEncoder, TextDecoder, performance,
    crypto: globalThis.crypto ?? (await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:crypto")).webcrypto, // Node 18 has it there
  };
  const bytes = await bytesOf(wasm, "the WebAssembly");
  const go = new (runtime(scope))();
  let trap; // the error that ended it
  try {
    const { instance } = await WebAssembly.instantiate(isWasm(bytes) ? bytes : unpack(bytes), go.importObject);
    go.run(instance).catch(cause => { trap = cause; }); // it returns when the program is ready for calls
    await null;
    if (trap) throw trap;
  } catch (cause) {
    throw new PrivateerError("not_loaded", `the WebAssembly cannot be run: ${cause.message}: want the privateer.wasm.lzma of this package`, { cause });
  }
  const program = scope.privateer;
  if (program?.version !== files.version) {
    const what = program ? `of version ${program.version}` : "not privateer's";
    throw new PrivateerError("wrong_version", `the WebAssembly is ${what}, and this module of version ${files.version}: load the two from one package`);
  }

  const call = (name, ...args) => {
    let result;
    if (!trap && !go.exited) {
      try {
        result = program[name](...args.map(a => typeof a === "bigint" ? Number(a) : a));
      } catch (cause) {
        trap = cause;
      }
    }
    if (trap || go.exited) {
      throw new PrivateerError("ended", "the program has ended, for lack of memory or by a bug of privateer: load it again", { cause: trap });
    }
    if (result instanceof PrivateerError) {
      Error.captureStackTrace?.(result, call); // the trace begins at the caller
      throw result;
    }
    return result;
  };
  const random = () => String(scope.crypto.getRandomValues(new BigUint64Array(1))[0]);
  return new Privateer(call, random);
}

/** Games, matches and policies of one program. `load` makes it. */
export class Privateer {
  #call;
  #random;

  constructor(call, random) {
    this.#call = call;
    this.#random = random;
  }

  /** The version of the program. */
  get version() {
    return files.version;
  }

  /** All games, with the parameters of their game strings. */
  games() {
    return JSON.parse(this.#call("games"));
  }

  /** The description of the game of a game string, such as "doubloons(seats=4)". */
  game(game) {
    return JSON.parse(this.#call("game", game));
  }

  /** Deal a match. The same game, seed and actions give the same match everywhere; the default seed is random. */
  match(game, { seed } = {}) {
    return new Match(this.#call, this.#random, this.#call("match", game, digits(seed, this.#random)));
  }

  /** A match at a position: JSON text, or the parsed value. Omitted parts are as in a fresh set-up. */
  read(game, position) {
    return new Match(this.#call, this.#random, this.#call("read", game, json(position)));
  }

  /** Follow a match that is played elsewhere, from its beginning, by the observations of one seat. */
  track(game, seat) {
    return new Tracker(this.#call, this.#random, game, seat);
  }

  /** A match at the end of a transcript: JSON text, the parsed value, or the text form. Seats, legality and returns are checked. */
  replay(transcript) {
    return new Match(this.#call, this.#random, this.#call("replay", json(transcript, "bad_transcript", "the transcript")));
  }

  /** The available trained policies, and the game of each. */
  policies() {
    return JSON.parse(this.#call("policies"));
  }

  /** Add a policy, the bytes of a bundle, and return its name as a player: by default its digest. */
  policy(bytes, name) {
    return this.#call("policy", asBytes(bytes, "a bundle"), name);
  }

  /** The one table that privateer's own page plays at: see serve/page/wasm/table_js.go. */
  table(page) {
    const ask = this.#call("table", page);
    return text => { ask(text); };
  }
}

// A match without references is freed.
const lost = new FinalizationRegistry(({ call, handle }) => {
  try {
    call("free", handle);
  } catch { /* the program has ended, and its matches with it */ }
});

/** One match. `Privateer.match`, `Privateer.read`, `Privateer.replay`, `Tracker.asked` and `Match.copy` make it. */
export class Match {
  #call;
  #random;
  #handle;

  constructor(call, random, handle) {
    this.#call = call;
    this.#random = random;
    this.#handle = handle;
    lost.register(this, { call, handle }, this);
  }

  /** The canonical game string. */
  get game() {
    return this.#call("about", this.#handle);
  }

  /** The seat that is to act, CHANCE or OVER. */
  get seat() {
    return this.#call("seat", this.#handle);
  }

  /** Whether the match is over. */
  get over() {
    return this.seat === OVER;
  }

  /** The question, in one line, for the seat that is to act. */
  get decision() {
    return this.#call("show", this.#handle, FULL, "decision");
  }

  /** Each seat's return, from -1 to 1; final when the match is over. */
  get returns() {
    return JSON.parse(this.#call("returns", this.#handle));
  }

  /** The legal actions of the seat that is to act, or the outcomes of chance, by ascending numbers. Only that seat may know them. */
  legal() {
    return JSON.parse(this.#call("legal", this.#handle));
  }

  /** Perform an action, by its number or its name, and advance to the next decision. */
  apply(action) {
    this.#call("apply", this.#handle, action);
  }

  /** The position as a seat sees it, or FULL. The latter reads back as the same match. */
  view(seat) {
    return JSON.parse(this.#call("show", this.#handle, seat, "position"));
  }

  /** A picture of the match as a seat sees it, or FULL: SVG. */
  svg(seat) {
    return this.#call("show", this.#handle, seat, "svg");
  }

  /** The match as a seat sees it, or FULL, for a terminal. */
  text(seat) {
    return this.#call("show", this.#handle, seat, "text");
  }

  /** The events since the previous call for the same seat, or FULL, as it sees them. */
  events(seat) {
    return JSON.parse(this.#call("events", this.#handle, seat));
  }

  /** The networks' inputs. The mask is zero and rows are empty unless the seat, by default the one to act, is to act. */
  encode(seat = this.seat) {
    const [observation, mask, rows] = this.#call("encode", this.#handle, seat);
    return { observation, mask, rows };
  }

  /**
   * Ask a player for the action of the seat that is to act. All its random choices come from the seed; the default seed is
   * random. It thinks on this thread: in a page, run searches in a worker.
   */
  async think(player, { seed } = {}) {
    const answer = JSON.parse(await this.#call("think", this.#handle, player, digits(seed, this.#random)));
    return { ...answer, probabilities: Float64Array.from(answer.probabilities) };
  }

  /** The record of the match so far, from its deal, for `Privateer.replay`. It reveals everything, including the seed. */
  transcript() {
    return JSON.parse(this.#call("transcript", this.#handle));
  }

  /** A copy of the match, with the same future chance events. */
  copy() {
    return new Match(this.#call, this.#random, this.#call("copy", this.#handle));
  }

  /** Free the match; using it afterwards is an error. A match without references is freed automatically. */
  free() {
    lost.unregister(this);
    this.#call("free", this.#handle);
  }
}

/** A match that is played elsewhere, as one seat sees it. `Privateer.track` makes it. */
export class Tracker {
  #call;
  #random;
  #game;
  #seat;
  #known;

  constructor(call, random, game, seat) {
    this.#call = call;
    this.#random = random;
    this.#game = game;
    this.#seat = seat;
    this.#known = call("track", game, seat);
  }

  /**
   * A possible match in which the seat is to act, after all of its observations since the previous call, in order. The seat's
   * view of it is true; everything hidden from the seat is a guess.
   */
  asked(told) {
    const [handle, known] = this.#call("asked", this.#game, this.#seat, this.#known, json(told, "bad_told", "what is told"));
    this.#known = known;
    return new Match(this.#call, this.#random, handle);
  }
}

/** A seed as digits. */
function digits(seed, random) {
  if (seed === undefined) return random();
  if (typeof seed === "number" && !Number.isSafeInteger(seed)) {
    throw new PrivateerError("bad_argument", `seed ${seed}: want a whole number; from 2**53 on write it as a bigint`);
  }
  return String(seed);
}

/** A position, or another value, as JSON. */
function json(value, code = "bad_position", what = "the position") {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new PrivateerError(code, `${what} cannot be written as JSON: ${cause.message}`, { cause });
  }
}

/** An absolute address: relative ones are relative to the page, in Node to the working directory. */
function address(source) {
  return new URL(source, globalThis.location?.href ?? `file://${process.cwd()}/`);
}

/** A file in a folder. */
function within(folder, file) {
  const base = address(folder);
  if (!base.pathname.endsWith("/")) base.pathname += "/";
  return new URL(file, base);
}

/** The bytes of a source: itself bytes, or an address. */
async function bytesOf(source, what) {
  if (typeof source !== "string" && !(source instanceof URL)) return asBytes(source, what);
  const url = address(source);
  try {
    if (url.protocol === "file:") {
      const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
      return new Uint8Array(await readFile(url));
    }
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
    return new Uint8Array(await answer.arrayBuffer());
  } catch (cause) {
    throw new PrivateerError("not_loaded", `${what} cannot be loaded from ${url}: ${cause.message}`, { cause });
  }
}

function asBytes(source, what) {
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  throw new PrivateerError("bad_argument", `${what}: want its bytes, an ArrayBuffer or a view of one`);
}

function isWasm(bytes) {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

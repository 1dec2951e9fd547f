// Trained policies of privateer in JavaScript: bundles, which this file computes itself, and ONNX models, for which the
// caller provides a runtime. It has no other dependency, in browsers, in workers and in Node. encode/bundle/FORMAT.md
// describes bundles; examples/policy.mjs shows how to use this.

/** A file is no bundle, is damaged, or does not fit. */
export class BundleError extends Error {
  constructor(message) {
    super(message);
    this.name = "BundleError";
  }
}

/** The logit of an action that is not legal: the lowest float32. */
export const MASKED = -3.4028234663852886e38;

const MAGIC = "PRIVBNDL";
const FORMAT = 1;
const HEAD = 20;
const GROWTH = 16; // no content unpacks to more than GROWTH times its length plus FIXED bytes
const FIXED = 65536;

/** Read a bundle: the bytes of a file. */
export async function loadBundle(bytes) {
  return new Policy(await decode(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
}

/**
 * Make a player of an ONNX model, with onnxruntime-web or onnxruntime-node as ort.
 * manifest is the file beside the model, parsed.
 */
export async function loadOnnx(ort, model, manifest) {
  if (manifest?.format !== "onnx") {
    throw new BundleError("the manifest is not that of an ONNX model: want the file MODEL.onnx.json beside it");
  }
  return new OnnxPolicy(ort, await ort.InferenceSession.create(model), manifest);
}

/** The common base of bundles and ONNX models: checking decisions, and choosing by logits. */
class Player {
  constructor(info) {
    Object.assign(this, info);
  }

  /** Check a decision, and return its legal actions. */
  legalOf({ observation, mask, rows }) {
    if (observation.length !== this.observationSize) {
      throw new RangeError(`an observation of ${observation.length} bytes: ${this.name} has ${this.observationSize}`);
    }
    if (mask.length !== this.actions.length) {
      throw new RangeError(`a mask of ${mask.length} bytes: ${this.name} has ${this.actions.length} actions`);
    }
    const legal = [];
    for (let a = 0; a < mask.length; a++) if (mask[a]) legal.push(a);
    if (legal.length === 0) throw new RangeError("the mask allows no action");
    if (this.rowSize > 0 && rows?.length !== legal.length * this.rowSize) {
      throw new RangeError(`${rows?.length ?? 0} bytes of rows: want ${this.rowSize} for each of ${legal.length} legal actions, in ascending order`);
    }
    return legal;
  }

  /** Choose as the policy does: by the probabilities, or the largest logit. random gives numbers from 0 to 1. */
  pick(legal, logits, random) {
    let best = 0;
    for (let i = 1; i < logits.length; i++) if (logits[i] > logits[best]) best = i;
    if (this.choice === "greedy") return legal[best];
    let left = random() * softmax(logits).sum;
    for (let i = 0; i < logits.length; i++) {
      left -= Math.exp(logits[i] - logits[best]);
      if (left < 0) return legal[i];
    }
    return legal[best];
  }
}

/** A bundle. */
export class Policy extends Player {
  constructor(bundle) {
    const weights = check(bundle);
    super({
      game: bundle.game, name: bundle.name, actions: bundle.actions, choice: bundle.choice,
      observationSize: bytesOf(bundle.observation), rowSize: bytesOf(bundle.row), values: weights.has("value.bias") ? 1 : 0,
    });
    this.bundle = bundle;
    this.weights = weights;
    this.scales = scalesOf(bundle.observation);
    this.rowScales = scalesOf(bundle.row);
    this.checkGolden();
  }

  /** Logits of the legal actions, in ascending order. */
  logits(decision) {
    const legal = this.legalOf(decision);
    return this.scores(this.trunk(decision.observation), legal, decision.rows);
  }

  /** A probability for each action of the game; 0 for those that are not legal. */
  probabilities(decision) {
    const legal = this.legalOf(decision);
    const { terms, sum } = softmax(this.logits(decision));
    const out = new Float32Array(this.actions.length);
    legal.forEach((a, i) => (out[a] = terms[i] / sum));
    return out;
  }

  /** The expected remaining return of the seat to act; empty without a value head. */
  value(observation) {
    return this.values > 0 ? this.linear(this.trunk(observation), "value") : new Float64Array(0);
  }

  /** The action that the policy takes. */
  act(decision, random = Math.random) {
    return this.pick(this.legalOf(decision), this.logits(decision), random);
  }

  linear(x, name) {
    const { shape: [outputs, inputs], data } = this.weights.get(name + ".weight");
    const bias = this.weights.get(name + ".bias")?.data;
    const out = new Float64Array(outputs);
    for (let i = 0; i < outputs; i++) {
      let sum = bias ? bias[i] : 0;
      for (let k = 0, at = i * inputs; k < inputs; k++, at++) if (x[k] !== 0) sum += data[at] * x[k];
      out[i] = sum;
    }
    return out;
  }

  activation(x) {
    const kind = this.bundle.network.activation;
    const one = kind === "tanh" ? Math.tanh : kind === "silu" ? (v) => v / (1 + Math.exp(-v)) : (v) => Math.max(v, 0);
    return x.map(one);
  }

  trunk(observation) {
    const { hidden, norm, norm_eps: eps } = this.bundle.network;
    let x = scaled(observation, this.scales);
    for (let i = 0; i < hidden.length; i++) {
      x = this.linear(x, `trunk.${i}.linear`);
      if (norm === "layer") {
        const gain = this.weights.get(`trunk.${i}.norm.weight`).data;
        const shift = this.weights.get(`trunk.${i}.norm.bias`).data;
        const mean = x.reduce((s, v) => s + v, 0) / x.length;
        const deviation = Math.sqrt(x.reduce((s, v) => s + (v - mean) ** 2, 0) / x.length + eps);
        x = x.map((v, k) => ((v - mean) / deviation) * gain[k] + shift[k]);
      }
      x = this.activation(x);
    }
    return x;
  }

  scores(x, legal, rows) {
    if (this.rowSize === 0) {
      const all = this.linear(x, "policy");
      return Float64Array.from(legal, (a) => all[a]);
    }
    const embedded = legal.map((_, i) => {
      let e = scaled(rows.subarray(i * this.rowSize, (i + 1) * this.rowSize), this.rowScales);
      for (let k = 0; k < this.bundle.network.row_hidden.length; k++) e = this.activation(this.linear(e, `rows.${k}`));
      return e;
    });
    const width = embedded[0].length;
    const common = new Float64Array(2 * width).fill(0, 0, width).fill(-Infinity, width);
    for (const e of embedded) {
      for (let k = 0; k < width; k++) {
        common[k] += e[k] / embedded.length;
        common[width + k] = Math.max(common[width + k], e[k]);
      }
    }
    const context = this.linear(common, "context");
    const query = this.linear(x, "query").map((v, k) => v + context[k]);
    const direct = this.linear(x, "direct");
    return Float64Array.from(embedded, (e) => {
      const met = this.activation(this.linear(e, "embed").map((v, k) => v + query[k]));
      return this.linear(met, "score")[0] + e.reduce((s, v, k) => s + v * direct[k], 0);
    });
  }

  /** Compute the golden decisions of the file again. */
  checkGolden() {
    const { golden } = this.bundle;
    const n = Math.floor(golden.observation.length / this.observationSize);
    const most = this.actions.length;
    const total = this.rowSize > 0 ? golden.counts.reduce((sum, c) => sum + c, 0) : n * most;
    if (n * this.observationSize !== golden.observation.length || golden.logits.length !== total || golden.rows.length !== total * this.rowSize
      || golden.values.length !== n * this.values || golden.counts.length !== (this.rowSize > 0 ? n : 0)) {
      throw new BundleError("its golden decisions are of other sizes than its network's");
    }
    let row = 0;
    let value = 0;
    for (let i = 0; i < n; i++) {
      const count = this.rowSize > 0 ? golden.counts[i] : most;
      if (!(count >= 1 && count <= most)) throw new BundleError("its golden decisions are of other sizes than its network's");
      const observation = golden.observation.subarray(i * this.observationSize, (i + 1) * this.observationSize);
      const mask = new Uint8Array(most).fill(1, 0, count); // any actions will do
      const rows = golden.rows.subarray(row * this.rowSize, (row + count) * this.rowSize);
      if (this.rowSize > 0 && rows.length !== count * this.rowSize) throw new BundleError("its golden decisions are of other sizes than its network's");
      const got = [...this.logits({ observation, mask, rows }), ...this.value(observation)];
      const want = [...golden.logits.slice(row, row + count), ...golden.values.slice(value, value + this.values)];
      if (got.length !== want.length || got.some((v, k) => !(Math.abs(v - want[k]) <= 1e-3 * Math.max(1, Math.abs(want[k]))))) {
        throw new BundleError(`its golden decision ${i} has another result: the weights were altered`);
      }
      row += count;
      value += this.values;
    }
  }
}

/** An ONNX model in a runtime. */
export class OnnxPolicy extends Player {
  constructor(ort, session, manifest) {
    super({
      game: manifest.game, name: manifest.name, actions: manifest.actions, choice: manifest.choice,
      observationSize: manifest.observation.size, rowSize: manifest.action_rows?.size ?? 0, values: manifest.values,
    });
    this.ort = ort;
    this.session = session;
  }

  /** The model's outputs for a decision: logits, probabilities and value, each a Float32Array. */
  async run(decision) {
    const legal = this.legalOf(decision);
    const { Tensor } = this.ort;
    const feeds = {
      observation: new Tensor("uint8", Uint8Array.from(decision.observation), [1, this.observationSize]),
      action_mask: new Tensor("uint8", Uint8Array.from(decision.mask, (m) => (m ? 1 : 0)), [1, this.actions.length]),
    };
    if (this.rowSize > 0) feeds.action_rows = new Tensor("uint8", Uint8Array.from(decision.rows), [legal.length, this.rowSize]);
    const out = await this.session.run(feeds);
    return { logits: out.logits.data, probabilities: out.probabilities.data, value: out.value?.data ?? new Float32Array(0) };
  }

  /** The action that the policy takes. */
  async act(decision, random = Math.random) {
    const { logits } = await this.run(decision);
    const legal = this.legalOf(decision);
    return this.pick(legal, legal.map((a) => logits[a]), random);
  }
}

function softmax(logits) {
  const most = logits.reduce((m, v) => Math.max(m, v), -Infinity);
  const terms = Float64Array.from(logits, (v) => Math.exp(v - most));
  return { terms, sum: terms.reduce((s, v) => s + v, 0) };
}

function scaled(bytes, scales) {
  return Float64Array.from(bytes, (b, i) => b * scales[i]);
}

function bytesOf(groups) {
  return groups.reduce((n, g) => n + g.size, 0);
}

function scalesOf(groups) {
  const out = new Float32Array(bytesOf(groups));
  for (const g of groups) out.fill(g.scale, g.offset, g.offset + g.size);
  return out;
}

// The file.

async function decode(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const damaged = (why) => new BundleError(`the bundle is damaged: ${why}`);
  if (String.fromCharCode(...data.subarray(0, MAGIC.length)) !== MAGIC) {
    throw new BundleError("the file does not begin as bundles do: privateer export makes one of a run or a checkpoint");
  }
  if (data.length < HEAD + 4) throw damaged(`it has only ${data.length} bytes`);
  const format = view.getUint32(MAGIC.length, true);
  if (format !== FORMAT) {
    throw new BundleError(`bundle format ${format}: this program reads format ${FORMAT}: export the run again, or use the privateer that exported it`);
  }
  const length = view.getBigUint64(MAGIC.length + 4, true);
  if (length !== BigInt(data.length - HEAD - 4)) throw damaged(`it has ${data.length - HEAD - 4} bytes of content but declares ${length}`);
  if (view.getUint32(data.length - 4, true) !== crc32c(data.subarray(0, data.length - 4))) throw damaged("its checksum is wrong");
  const inner = await inflated(data.subarray(HEAD, data.length - 4), damaged);
  const reader = { data: inner, view: new DataView(inner.buffer, inner.byteOffset, inner.byteLength), at: 0, end: inner.length, damaged };
  const content = value(reader, 0);
  if (reader.at !== reader.end) throw damaged(`${reader.end - reader.at} bytes after its content`);
  return typed("bundle", content, damaged);
}

/** Deflated content unpacked, and not one byte more than FORMAT.md allows. */
async function inflated(content, damaged) {
  const most = GROWTH * content.length + FIXED;
  const out = [];
  let size = 0;
  const reader = new Blob([content]).stream().pipeThrough(await inflater()).getReader();
  while (size <= most) {
    const { done, value: part } = await reader.read().catch(() => { throw damaged("its content cannot be unpacked"); });
    if (done) return new Uint8Array(await new Blob(out).arrayBuffer());
    out.push(part);
    size += part.length;
  }
  reader.cancel().catch(() => {});
  throw damaged(`its content takes more than ${GROWTH} times the size of the file`);
}

/** A stream that unpacks. Node 18 has it elsewhere. */
async function inflater() {
  try {
    return new DecompressionStream("deflate-raw");
  } catch {
    const { createInflateRaw } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:zlib");
    const { Duplex } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:stream");
    return Duplex.toWeb(createInflateRaw());
  }
}

let table;

function crc32c(data) {
  if (!table) {
    table = Uint32Array.from({ length: 256 }, (_, i) => {
      let c = i;
      for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
      return c;
    });
  }
  let crc = 0xffffffff;
  for (let i = 0; i < data.length; i++) crc = table[(crc ^ data[i]) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** A value of msgpack, as far as bundles have it. */
function value(r, depth) {
  const take = (n) => {
    if (n > r.end - r.at) throw r.damaged("its content is cut short");
    r.at += n;
    return r.at - n;
  };
  const count = (size) => {
    const at = take(size);
    return size === 1 ? r.view.getUint8(at) : size === 2 ? r.view.getUint16(at) : r.view.getUint32(at);
  };
  const text = (n) => {
    const at = take(n);
    return new TextDecoder().decode(r.data.subarray(at, at + n));
  };
  const list = (n) => {
    // Each element takes a byte at least.
    if (n > r.end - r.at || depth > 8) throw r.damaged("its content is cut short");
    return Array.from({ length: n }, () => value(r, depth + 1));
  };
  const map = (n) => {
    if (n > r.end - r.at || depth > 8) throw r.damaged("its content is cut short");
    const out = new Map();
    for (let i = 0; i < n; i++) out.set(value(r, depth + 1), value(r, depth + 1));
    return out;
  };
  const code = count(1);
  if (code <= 0x7f) return code;
  if (code >= 0xe0) return code - 256;
  if (code <= 0x8f) return map(code & 0x0f);
  if (code <= 0x9f) return list(code & 0x0f);
  if (code <= 0xbf) return text(code & 0x1f);
  switch (code) {
    case 0xc0: return null;
    case 0xc4: case 0xc5: case 0xc6: {
      const n = count(1 << (code - 0xc4));
      const at = take(n);
      return r.data.subarray(at, at + n);
    }
    case 0xca: return r.view.getFloat32(take(4));
    case 0xcb: return r.view.getFloat64(take(8));
    case 0xcc: case 0xcd: case 0xce: return count(1 << (code - 0xcc));
    case 0xcf: return Number(r.view.getBigUint64(take(8)));
    case 0xd0: return r.view.getInt8(take(1));
    case 0xd1: return r.view.getInt16(take(2));
    case 0xd2: return r.view.getInt32(take(4));
    case 0xd3: return Number(r.view.getBigInt64(take(8)));
    case 0xd9: case 0xda: case 0xdb: return text(count(1 << (code - 0xd9)));
    case 0xdc: case 0xdd: return list(count(2 << (code - 0xdc)));
    case 0xde: case 0xdf: return map(count(2 << (code - 0xde)));
    default: throw r.damaged(`its content has a value of the kind 0x${code.toString(16)}`);
  }
}

// The fields, as FORMAT.md has them; a list of something is [something].
const FIELDS = {
  bundle: {
    game: "string", name: "string", schema: "string", version: "number", observation: ["slice"], actions: ["string"], row_schema: "string", row: ["slice"],
    choice: "string", network: "network", weights: ["tensor"], golden: "golden", provenance: "provenance", evaluation: ["evaluation"],
  },
  slice: { name: "string", offset: "number", size: "number", scale: "number" },
  network: { name: "string", hidden: ["number"], row_hidden: ["number"], activation: "string", norm: "string", norm_eps: "number" },
  tensor: { name: "string", shape: ["number"], data: "bytes", scale: ["number"] },
  golden: { observation: "bytes", rows: "bytes", counts: ["number"], logits: ["number"], values: ["number"] },
  provenance: { program: "string", checkpoint: "string", iteration: "number", steps: "number", config: "string" },
  evaluation: { game: "string", bot: "string", matches: "number", equal_share: "number", win_rate: ["number"], return: ["number"] },
};

function typed(kind, content, damaged) {
  if (Array.isArray(kind)) {
    if (content !== null && !Array.isArray(content)) throw damaged("something is no list");
    return (content ?? []).map((one) => typed(kind[0], one, damaged));
  }
  if (kind === "bytes") {
    if (content !== null && !(content instanceof Uint8Array)) throw damaged("something is no bytes");
    return content ?? new Uint8Array(0);
  }
  if (kind === "string" || kind === "number") {
    const found = content ?? (kind === "string" ? "" : 0);
    if (typeof found !== kind) throw damaged(`something is no ${kind}`);
    return found;
  }
  const fields = FIELDS[kind];
  if (content !== null && !(content instanceof Map)) throw damaged(`a ${kind} has no fields`);
  for (const name of content?.keys() ?? []) {
    if (!Object.hasOwn(fields, name)) throw damaged(`a ${kind} has a field ${JSON.stringify(String(name)).slice(0, 40)}, which no bundle has`);
  }
  return Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, typed(of, content?.get(name) ?? null, damaged)]));
}

/** Check the bundle, and return the weights by name. */
function check(b) {
  const n = b.network;
  const among = (what, found, known) => {
    if (!known.includes(found)) throw new BundleError(`${what} is ${JSON.stringify(found)}: want ${known.join(" or ")}`);
  };
  among("choice", b.choice, ["sample", "greedy"]);
  among("network", n.name, ["mlp", "entity"]);
  among("activation", n.activation, ["relu", "silu", "tanh"]);
  among("norm", n.norm, ["layer", "none"]);
  for (const [what, groups] of Object.entries({ observation: b.observation, row: b.row })) {
    let at = 0;
    for (const g of groups) {
      if (g.offset !== at || !(g.size >= 1) || !(g.scale > 0 && g.scale < Infinity)) throw new BundleError(`${what} group ${g.name} is not the next one at ${at}`);
      at += g.size;
    }
  }
  const d = bytesOf(b.observation);
  let f = bytesOf(b.row);
  if (d < 1 || d > 65536 || f > 65536 || b.actions.length < 1 || f > 0 !== (n.name === "entity")) {
    throw new BundleError(`observations of ${d} bytes, ${b.actions.length} actions and rows of ${f} bytes do not fit the network ${n.name}`);
  }
  for (const [what, widths, least] of [["hidden", n.hidden, 1], ["row", n.row_hidden, n.name === "entity" ? 1 : 0]]) {
    if (widths.length < least || widths.length > 64 || widths.some((h) => !(h >= 1 && h <= 65536))) throw new BundleError(`${what} layers of the widths ${widths.slice(0, 70)}: want ${least} to 64 of 1 to 65536`);
  }
  const weights = new Map(b.weights.map((t) => [t.name, floats(t)]));
  const wanted = new Map();
  let width = d;
  n.hidden.forEach((h, i) => {
    wanted.set(`trunk.${i}.linear.weight`, [h, width]).set(`trunk.${i}.linear.bias`, [h]);
    if (n.norm === "layer") wanted.set(`trunk.${i}.norm.weight`, [h]).set(`trunk.${i}.norm.bias`, [h]);
    width = h;
  });
  if (n.name === "mlp") {
    wanted.set("policy.weight", [b.actions.length, width]).set("policy.bias", [b.actions.length]);
  } else {
    n.row_hidden.forEach((h, i) => {
      wanted.set(`rows.${i}.weight`, [h, f]).set(`rows.${i}.bias`, [h]);
      f = h;
    });
    wanted.set("context.weight", [f, 2 * f]).set("query.weight", [f, width]).set("query.bias", [f]).set("direct.weight", [f, width]);
    wanted.set("embed.weight", [f, f]).set("score.weight", [1, f]);
  }
  if (weights.has("value.bias")) wanted.set("value.weight", [1, width]).set("value.bias", [1]);
  for (const name of new Set([...wanted.keys(), ...weights.keys()])) {
    if (String(wanted.get(name)) !== String(weights.get(name)?.shape) || weights.size !== b.weights.length) {
      throw new BundleError(`the weights ${name} have shape [${weights.get(name)?.shape ?? "none"}]: want [${wanted.get(name) ?? "none"}]`);
    }
  }
  return weights;
}

function floats(tensor) {
  const { shape, data } = tensor;
  const size = shape.reduce((n, s) => n * s, 1);
  const packed = tensor.scale.length > 0; // int8, with a scale for each row
  if (!(size >= 1) || data.length !== (packed ? 1 : 4) * size || (packed && (shape.length !== 2 || tensor.scale.length !== shape[0]))) throw new BundleError(`the weights ${tensor.name} have shape [${shape}] and ${data.length} bytes`);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const out = new Float32Array(size);
  for (let i = 0; i < size; i++) {
    out[i] = packed ? view.getInt8(i) * Math.fround(tensor.scale[Math.floor(i / shape[1])]) : view.getFloat32(4 * i, true);
    if (!Number.isFinite(out[i])) throw new BundleError(`the weights ${tensor.name} are not all finite`);
  }
  return { shape, data: out };
}

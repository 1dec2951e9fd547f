// Unpacks LZMA (`xz --format=lzma`): a static host sends files as they lie there, and this is a third smaller than gzip.

/** The bytes of a packed file, an Uint8Array, as another. */
export function unpack(src) {
  const lc = src[0] % 9, lp = (src[0] / 9 | 0) % 5, pb = src[0] / 45 | 0;
  const known = src.subarray(5, 13).some(b => b !== 255);
  const size = known ? new DataView(src.buffer, src.byteOffset).getUint32(5, true) : Infinity;
  let out = new Uint8Array(known ? size : 8 * src.length), at = 0;

  let pos = 18, range = 0xFFFFFFFF, code = new DataView(src.buffer, src.byteOffset).getUint32(14);
  const chances = n => new Uint16Array(n).fill(1024);
  const isMatch = chances(192), isRep = chances(12), isRepG0 = chances(12), isRepG1 = chances(12), isRepG2 = chances(12), isRep0Long = chances(192);
  const slots = chances(4 * 64), special = chances(115), align = chances(16), literals = chances(0x300 << lc + lp);
  const matchLength = lengths(), repLength = lengths();

  function lengths() {
    return {choice: chances(2), low: chances(16 * 8), mid: chances(16 * 8), high: chances(256)};
  }

  function bit(p, i) {
    const bound = (range >>> 11) * p[i];
    let b = 0;
    if (code < bound) {
      range = bound;
      p[i] += 2048 - p[i] >> 5;
    } else {
      range -= bound;
      code -= bound;
      p[i] -= p[i] >> 5;
      b = 1;
    }
    if (range < 0x1000000) more();
    return b;
  }

  function more() {
    range = range << 8 >>> 0;
    code = (code << 8 | src[pos++]) >>> 0;
  }

  function tree(p, from, bits) {
    let m = 1;
    for (let i = 0; i < bits; i++) m = m << 1 | bit(p, from + m);
    return m - (1 << bits);
  }

  function reversed(p, from, bits) {
    let m = 1, n = 0;
    for (let i = 0; i < bits; i++) {
      const b = bit(p, from + m);
      m = m << 1 | b;
      n |= b << i;
    }
    return n;
  }

  function direct(bits) {
    let n = 0;
    while (bits-- > 0) {
      range >>>= 1;
      n <<= 1;
      if (code >= range) {
        code -= range;
        n |= 1;
      }
      if (range < 0x1000000) more();
    }
    return n;
  }

  function length(l, posState) {
    if (!bit(l.choice, 0)) return tree(l.low, posState << 3, 3);
    if (!bit(l.choice, 1)) return 8 + tree(l.mid, posState << 3, 3);
    return 16 + tree(l.high, 0, 8);
  }

  function distance(len) {
    const slot = tree(slots, Math.min(len, 3) << 6, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1, base = (2 | slot & 1) << bits >>> 0;
    if (slot < 14) return base + reversed(special, base - slot, bits);
    return base + direct(bits - 4) * 16 + reversed(align, 0, 4);
  }

  function put(b) {
    if (at === out.length) {
      const longer = new Uint8Array(2 * at);
      longer.set(out);
      out = longer;
    }
    out[at++] = b;
  }

  let state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0;
  while (at < size) {
    const posState = at & (1 << pb) - 1;
    if (!bit(isMatch, (state << 4) + posState)) {
      const before = at ? out[at - 1] : 0;
      const from = 0x300 * (((at & (1 << lp) - 1) << lc) + (before >> 8 - lc));
      let symbol = 1;
      if (state >= 7) {
        let match = out[at - rep0 - 1];
        while (symbol < 256) {
          const m = match >> 7 & 1;
          match <<= 1;
          const b = bit(literals, from + (1 + m << 8) + symbol);
          symbol = symbol << 1 | b;
          if (m !== b) break;
        }
      }
      while (symbol < 256) symbol = symbol << 1 | bit(literals, from + symbol);
      put(symbol & 255);
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let len;
    if (bit(isRep, state)) {
      if (!bit(isRepG0, state)) {
        if (!bit(isRep0Long, (state << 4) + posState)) {
          state = state < 7 ? 9 : 11;
          put(out[at - rep0 - 1]);
          continue;
        }
      } else {
        let far = rep1;
        if (bit(isRepG1, state)) {
          far = rep2;
          if (bit(isRepG2, state)) {
            far = rep3;
            rep3 = rep2;
          }
          rep2 = rep1;
        }
        rep1 = rep0;
        rep0 = far;
      }
      len = length(repLength, posState);
      state = state < 7 ? 8 : 11;
    } else {
      rep3 = rep2;
      rep2 = rep1;
      rep1 = rep0;
      len = length(matchLength, posState);
      rep0 = distance(len);
      if (rep0 === 0xFFFFFFFF) break;
      state = state < 7 ? 7 : 10;
    }
    if (rep0 >= at || pos > src.length + 4) throw new Error("the file is damaged");
    for (len += 2; len > 0; len--) put(out[at - rep0 - 1]);
  }
  return out.subarray(0, at);
}

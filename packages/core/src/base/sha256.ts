// SHA-256 and its HMAC without a runtime's help: WebCrypto has them only as promises, and verification,
// tokens and keys are used where nothing can wait. Source: FIPS 180-4, section 6.2, and RFC 2104.

const BLOCK = 64;

/** The first 32 bits of the fractional parts of a root of each prime. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const words = new Uint32Array(count);
  for (let found = 0, number = 2; found < count; number++) {
    let divisor = 2;
    while (divisor * divisor <= number && number % divisor !== 0) divisor++;
    if (divisor * divisor > number) words[found++] = (root(number) % 1) * 0x1_0000_0000;
  }
  return words;
}

const START = fractions(8, Math.sqrt);
const ROUND = fractions(64, Math.cbrt);

/** Digest of all parts, one behind the other. */
export function sha256Of(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = new Hash();
  for (const part of parts) hash.add(part);
  return hash.end();
}

/** HMAC-SHA-256 of some data. */
export function hmacOf(key: Uint8Array, data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(BLOCK);
  padded.set(key.length > BLOCK ? sha256Of(key) : key);
  const inner = sha256Of(
    padded.map((byte) => byte ^ 0x36),
    data,
  );
  return sha256Of(
    padded.map((byte) => byte ^ 0x5c),
    inner,
  );
}

class Hash {
  readonly #state = START.slice();
  readonly #words = new Uint32Array(64);
  /** What does not fill a block yet. */
  readonly #rest = new Uint8Array(BLOCK);
  readonly #view = new DataView(this.#rest.buffer);
  #length = 0;

  add(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      const filled = this.#length % BLOCK;
      if (filled === 0 && bytes.length - at >= BLOCK) {
        this.#mix(new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK));
        at += BLOCK;
        this.#length += BLOCK;
        continue;
      }
      const piece = bytes.subarray(at, at + BLOCK - filled);
      this.#rest.set(piece, filled);
      at += piece.length;
      this.#length += piece.length;
      if (this.#length % BLOCK === 0) this.#mix(this.#view);
    }
  }

  end(): Uint8Array {
    const bits = this.#length * 8;
    const filled = this.#length % BLOCK;
    const end = new Uint8Array((filled < 56 ? BLOCK : 2 * BLOCK) - filled);
    end[0] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(bits / 0x1_0000_0000));
    view.setUint32(end.length - 4, bits >>> 0);
    this.add(end);
    const digest = new DataView(new ArrayBuffer(32));
    this.#state.forEach((word, index) => digest.setUint32(4 * index, word));
    return new Uint8Array(digest.buffer);
  }

  #mix(block: DataView): void {
    const words = this.#words;
    for (let at = 0; at < 16; at++) words[at] = block.getUint32(4 * at);
    for (let at = 16; at < 64; at++) {
      const early = words[at - 15]!;
      const late = words[at - 2]!;
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[at] = words[at - 16]! + first + words[at - 7]! + second;
    }
    const state = this.#state;
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let at = 0; at < 64; at++) {
      const choice = (e & f) ^ (~e & g);
      const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + sum + choice + ROUND[at]! + words[at]!) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => {
      state[index] = state[index]! + word;
    });
  }
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

import type { ParsedIp } from "../identifier/parsed-ip.js";

export interface GeoTreeShape {
  readonly nodeCount: number;
  /** Size of each of a node's two records in bits: 24, 28 or 32. */
  readonly recordSize: number;
  readonly ipVersion: number;
}

const MAX_SAMPLE_STEPS = 100_000;

/**
 * The search tree of a MaxMind DB file, which maps an address to the position of its record.
 *
 * Source: MaxMind DB file format specification, section Binary Search Tree. Records are decoded
 * elsewhere, because the position alone shows whether one is already decoded.
 */
export class GeoTree {
  readonly nodeCount: number;
  /** Root of the IPv4 addresses. */
  readonly start4: number;
  readonly #bytes: Uint8Array;
  readonly #shape: GeoTreeShape;
  readonly #nodeBytes: number;

  /** @throws {RangeError} if the file is shorter than its tree. */
  constructor(bytes: Uint8Array, shape: GeoTreeShape) {
    const { nodeCount, recordSize, ipVersion } = shape;
    this.#bytes = bytes;
    this.#shape = shape;
    this.#nodeBytes = recordSize / 4;
    if (!Number.isSafeInteger(nodeCount) || nodeCount * this.#nodeBytes > bytes.length) {
      throw new RangeError("the search tree is larger than the file");
    }
    this.nodeCount = nodeCount;
    // An IPv4 address is an IPv6 address with 96 leading zeros.
    this.start4 = ipVersion === 4 ? 0 : this.#walk(0, new Uint32Array(4), 96);
  }

  /** Returns the position of an address's record, above 0; 0 without a record. */
  placeOf({ version, words }: ParsedIp): number {
    if (version === 4) return this.placeAt(this.#walk(this.start4, words, 32));
    // In an IPv4 tree, an IPv6 address would get the location of another address.
    return this.#shape.ipVersion === 4 ? 0 : this.placeAt(this.#walk(0, words, 128));
  }

  /** Yields addresses that have different records. @param limit Maximum number of addresses. */
  *samples(limit: number): Generator<string> {
    const bits = this.#shape.ipVersion === 4 ? 32 : 128;
    const seen = new Set<number>();
    const pending: { node: number; path: string }[] = [{ node: 0, path: "" }];
    // A damaged tree may contain a cycle.
    for (let steps = 0; pending.length > 0 && steps < MAX_SAMPLE_STEPS; steps++) {
      const { node, path } = pending.pop()!;
      if (node < this.nodeCount) {
        if (path.length === bits) continue;
        pending.push({ node: this.record(node, 1), path: `${path}1` });
        pending.push({ node: this.record(node, 0), path: `${path}0` });
      } else if (this.placeAt(node) !== 0 && !seen.has(node)) {
        seen.add(node);
        yield addressOf(path.padEnd(bits, "0"));
        if (seen.size === limit) return;
      }
    }
  }

  /** Returns the position of the record at the end of a path through the tree, or 0. */
  placeAt(end: number): number {
    return end > this.nodeCount ? end : 0;
  }

  #walk(from: number, words: Uint32Array, bits: number): number {
    let node = from;
    for (let bit = 0; bit < bits && node < this.nodeCount; bit++) {
      const isRight = (words[bit >> 5]! >>> (31 - (bit & 31))) & 1;
      node = this.record(node, isRight);
    }
    return node;
  }

  /** Returns the target of a node's bit: another node, a position, or nothing. */
  record(node: number, isRight: number): number {
    const bytes = this.#bytes;
    const at = node * this.#nodeBytes;
    switch (this.#shape.recordSize) {
      case 24: {
        const start = at + 3 * isRight;
        return (bytes[start]! << 16) | (bytes[start + 1]! << 8) | bytes[start + 2]!;
      }
      case 28: {
        const start = at + 4 * isRight;
        // The middle byte contains the upper half of the left record, then of the right one.
        const middle = bytes[at + 3]!;
        const upper = isRight === 1 ? middle & 15 : middle >>> 4;
        return (upper << 24) | (bytes[start]! << 16) | (bytes[start + 1]! << 8) | bytes[start + 2]!;
      }
      default: {
        const start = at + 4 * isRight;
        const low = (bytes[start + 1]! << 16) | (bytes[start + 2]! << 8) | bytes[start + 3]!;
        return bytes[start]! * 0x1000000 + low;
      }
    }
  }
}

function addressOf(bits: string): string {
  const numbers = (size: number): number[] =>
    Array.from({ length: bits.length / size }, (_, index) =>
      Number.parseInt(bits.slice(index * size, (index + 1) * size), 2),
    );
  if (bits.length === 32) return numbers(8).join(".");
  // IPv4 addresses start with 96 zeros.
  if (/^0{96}/.test(bits)) return addressOf(bits.slice(96));
  return numbers(16)
    .map((number) => number.toString(16))
    .join(":");
}

import type { ParsedIp } from "../identifier/parsed-ip.js";

/** Metadata of a MaxMind DB about its search tree. */
export interface GeoTreeShape {
  readonly nodeCount: number;
  /** Size of one of the two records of a node in bits: 24, 28 or 32. */
  readonly recordSize: number;
  readonly ipVersion: number;
}

const MAX_SAMPLE_STEPS = 100_000;

/**
 * The search tree of a MaxMind DB file, which leads from an address to the place of its record.
 *
 * Source: MaxMind DB file format specification, section Binary Search Tree. The tree is walked here
 * and the record decoded elsewhere, because the place alone shows whether it is already decoded.
 */
export class GeoTree {
  readonly nodeCount: number;
  /** Node below which IPv4 addresses are. */
  readonly start4: number;
  readonly #bytes: Uint8Array;
  readonly #shape: GeoTreeShape;
  readonly #nodeBytes: number;

  /** @throws {RangeError} when the file is shorter than its tree. */
  constructor(bytes: Uint8Array, shape: GeoTreeShape) {
    const { nodeCount, recordSize, ipVersion } = shape;
    this.#bytes = bytes;
    this.#shape = shape;
    this.#nodeBytes = recordSize / 4;
    if (!Number.isSafeInteger(nodeCount) || nodeCount * this.#nodeBytes > bytes.length) {
      throw new RangeError("the search tree is larger than the file");
    }
    this.nodeCount = nodeCount;
    // An IPv4 address is the IPv6 address of 96 zeros and itself.
    this.start4 = ipVersion === 4 ? 0 : this.#walk(0, new Uint32Array(4), 96);
  }

  /** Position of the record of an address: a number above 0, or 0 without a record. */
  placeOf({ version, words }: ParsedIp): number {
    if (version === 4) return this.placeAt(this.#walk(this.start4, words, 32));
    // In a tree of IPv4 addresses an IPv6 address would get the location of another address.
    return this.#shape.ipVersion === 4 ? 0 : this.placeAt(this.#walk(0, words, 128));
  }

  /** Addresses that have a record, no two with the same one. @param limit Most addresses. */
  *samples(limit: number): Generator<string> {
    const bits = this.#shape.ipVersion === 4 ? 32 : 128;
    const seen = new Set<number>();
    const pending: { node: number; path: string }[] = [{ node: 0, path: "" }];
    // A damaged tree may lead back into itself.
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

  /** Place of the record that a way through the tree has ended at, or 0. */
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

  /** Where a bit leads from a node: to another node, to a place, or nowhere. */
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
        // The byte in the middle holds the upper half of the left record and then of the right one.
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

/** The address of as many bits, as text. */
function addressOf(bits: string): string {
  const numbers = (size: number): number[] =>
    Array.from({ length: bits.length / size }, (_, index) =>
      Number.parseInt(bits.slice(index * size, (index + 1) * size), 2),
    );
  if (bits.length === 32) return numbers(8).join(".");
  // Below 96 zeros are the IPv4 addresses.
  if (/^0{96}/.test(bits)) return addressOf(bits.slice(96));
  return numbers(16)
    .map((number) => number.toString(16))
    .join(":");
}

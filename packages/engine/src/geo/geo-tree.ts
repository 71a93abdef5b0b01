import type { ParsedIp } from "../identifier/parsed-ip.js";

/** What the metadata of a MaxMind DB states about its search tree. */
export interface GeoTreeShape {
  readonly nodeCount: number;
  /** Size of one of the two records of a node in bits: 24, 28 or 32. */
  readonly recordSize: number;
  readonly ipVersion: number;
}

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

  /** Place of the record of an address: a number above 0, or 0 when there is none. */
  placeOf({ version, words }: ParsedIp): number {
    if (version === 4) return this.placeAt(this.#walk(this.start4, words, 32));
    // In a tree of IPv4 addresses an IPv6 address would get the location of another address.
    return this.#shape.ipVersion === 4 ? 0 : this.placeAt(this.#walk(0, words, 128));
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

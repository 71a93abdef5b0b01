import { parseCidr } from "./cidr.js";
import { type IpVersion, parseIp } from "./ip-address.js";

/**
 * Answers which marks an address carries. Marks are bits of one byte, so that one table replaces
 * several lists; overlapping networks add up.
 */
export interface IpTable {
  /** Marks of the address: 0 when it is in no network, -1 when it is no IP address. */
  marksOf(ip: string): number;
  /** The same for an address that `parseIp` has put into `words`; version 0 is no IP address. */
  marksAt(version: IpVersion, words: Uint32Array): number;
  /** Number of networks given. */
  readonly size: number;
}

/** A network in CIDR notation, or a bare address, with its marks (1 to 255). */
export type IpTableEntry = readonly [cidr: string, marks: number];

/**
 * Compile networks into sorted arrays.
 *
 * The whole address space is cut into segments, each known by its first address; a lookup is one
 * binary search, whatever the number of networks and however they nest.
 *
 * @param onInvalid Told each text that is no network; without it such texts are left out silently.
 */
export function createIpTable(
  entries: Iterable<IpTableEntry>,
  onInvalid?: (text: string) => void,
): IpTable {
  const v4 = new SegmentBuilder(1);
  const v6 = new SegmentBuilder(4);
  let size = 0;
  for (const [cidr, marks] of entries) {
    const parsed = parseCidr(cidr, network);
    if (!parsed) {
      onInvalid?.(cidr);
      continue;
    }
    size++;
    (parsed.version === 4 ? v4 : v6).add(network, parsed.length, marks);
  }
  const segments4 = new Segments4(v4.build());
  const segments6 = new Segments6(v6.build());
  const marksAt = (version: IpVersion, words: Uint32Array): number => {
    if (version === 0) return -1;
    return version === 4 ? segments4.marksAt(words[0]!) : segments6.marksAt(words);
  };
  const scratch = new Uint32Array(4);
  return { size, marksAt, marksOf: (ip) => marksAt(parseIp(ip, scratch), scratch) };
}

const network = new Uint32Array(4);

/** Segments of one address width: `starts` holds `width` words a segment, most significant first. */
interface SegmentColumns {
  starts: Uint32Array;
  marks: Uint8Array;
}

class SegmentBuilder {
  readonly #width: number;
  #words: Uint32Array;
  #lengths: number[] = [];
  #marks: number[] = [];

  constructor(width: number) {
    this.#width = width;
    this.#words = new Uint32Array(width * 16);
  }

  add(words: Uint32Array, length: number, marks: number): void {
    const at = this.#lengths.length * this.#width;
    if (at === this.#words.length) {
      const grown = new Uint32Array(at * 2);
      grown.set(this.#words);
      this.#words = grown;
    }
    for (let word = 0; word < this.#width; word++) this.#words[at + word] = words[word]!;
    this.#lengths.push(length);
    this.#marks.push(marks);
  }

  /**
   * Two networks are nested or apart, never half over each other. So, sorted by first address and
   * then by size, a stack of the networks that are open is all the state that a sweep needs.
   */
  build(): SegmentColumns {
    const width = this.#width;
    const words = this.#words;
    // A network starts one segment and ends one at most.
    const starts = new Uint32Array(2 * this.#lengths.length * width);
    const marks = new Uint8Array(2 * this.#lengths.length);
    let size = 0;
    // What is open nests, so that it holds one network of each length at most.
    const lasts = new Uint32Array((32 * width + 1) * width);
    const sums = new Uint8Array(32 * width + 1);
    let depth = 0;

    const emit = (from: Uint32Array, at: number, value: number): void => {
      const previous = size - 1;
      if (size > 0 && compare(starts, previous * width, from, at, width) === 0) {
        marks[previous] = value;
      } else if ((size === 0 ? 0 : marks[previous]) !== value) {
        for (let word = 0; word < width; word++) starts[size * width + word] = from[at + word]!;
        marks[size++] = value;
      }
    };
    const close = (level: number): void => {
      const at = level * width;
      if (advance(lasts, at, width)) emit(lasts, at, level === 0 ? 0 : sums[level - 1]!);
    };

    for (const index of this.#order()) {
      const at = index * width;
      const length = this.#lengths[index]!;
      while (depth > 0 && compare(lasts, (depth - 1) * width, words, at, width) < 0) {
        close(--depth);
      }
      const value = (depth === 0 ? 0 : sums[depth - 1]!) | this.#marks[index]!;
      emit(words, at, value);
      setLast(lasts, depth * width, words, at, width, length);
      // A network that ends where the innermost open one does is all that is left of it.
      const isRest =
        depth > 0 && compare(lasts, (depth - 1) * width, lasts, depth * width, width) === 0;
      sums[isRest ? depth - 1 : depth++] = value;
    }
    while (depth > 0) close(--depth);
    return { starts: starts.slice(0, size * width), marks: marks.slice(0, size) };
  }

  /**
   * Positions sorted by first address, then by length: byte after byte from the least significant
   * one, which for whole feeds is several times as fast as a sort by comparison.
   */
  #order(): Uint32Array {
    const count = this.#lengths.length;
    let order = new Uint32Array(count);
    for (let index = 0; index < count; index++) order[index] = index;
    let sorted = new Uint32Array(count);
    const ends = new Uint32Array(256);
    for (let digit = 0; digit <= 4 * this.#width; digit++) {
      ends.fill(0);
      for (const index of order) ends[this.#digit(index, digit)]!++;
      // All have the same digit, as IPv6 networks have zeros at their end.
      if (count === 0 || ends[this.#digit(0, digit)] === count) continue;
      for (let value = 1; value < 256; value++) ends[value]! += ends[value - 1]!;
      for (let position = count - 1; position >= 0; position--) {
        const index = order[position]!;
        sorted[--ends[this.#digit(index, digit)]!] = index;
      }
      [order, sorted] = [sorted, order];
    }
    return order;
  }

  /** Digit 0 is the length, and the others are the bytes of the address, the last one first. */
  #digit(index: number, digit: number): number {
    if (digit === 0) return this.#lengths[index]!;
    const byte = digit - 1;
    const word = this.#width - 1 - (byte >> 2);
    return (this.#words[index * this.#width + word]! >>> (8 * (byte & 3))) & 255;
  }
}

/** Below 0 when the address at `a` in `left` is smaller than the one at `b` in `right`. */
function compare(
  left: Uint32Array,
  a: number,
  right: Uint32Array,
  b: number,
  width: number,
): number {
  for (let word = 0; word < width; word++) {
    const difference = left[a + word]! - right[b + word]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Write the last address of a network to `to` in `lasts`. */
function setLast(
  lasts: Uint32Array,
  to: number,
  words: Uint32Array,
  at: number,
  width: number,
  length: number,
): void {
  for (let word = 0; word < width; word++) {
    const kept = Math.min(32, Math.max(0, length - 32 * word));
    lasts[to + word] = words[at + word]! | (kept === 32 ? 0 : 0xffffffff >>> kept);
  }
}

/** Replace an address by the next one; false behind the very last one. */
function advance(words: Uint32Array, at: number, width: number): boolean {
  for (let word = at + width - 1; word >= at; word--) {
    // A word that overflows is 0, and the one before it takes the carry.
    words[word]!++;
    if (words[word] !== 0) return true;
  }
  return false;
}

/** Below this a plain binary search is as fast as an index, and 256 KiB smaller. */
const INDEXED_FROM = 256;

class Segments4 {
  readonly #starts: Uint32Array;
  readonly #marks: Uint8Array;
  /** For each upper half of an address, the number of segments that start before it. */
  readonly #index: Uint32Array | undefined;

  constructor({ starts, marks }: SegmentColumns) {
    this.#starts = starts;
    this.#marks = marks;
    if (starts.length < INDEXED_FROM) return;
    const index = new Uint32Array(0x10001);
    let segment = 0;
    for (let upper = 0; upper <= 0x10000; upper++) {
      while (segment < starts.length && starts[segment]! < upper * 0x10000) segment++;
      index[upper] = segment;
    }
    this.#index = index;
  }

  marksAt(address: number): number {
    const starts = this.#starts;
    const upper = address >>> 16;
    let low = this.#index ? this.#index[upper]! : 0;
    let high = this.#index ? this.#index[upper + 1]! : starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#marks[low - 1]!;
  }
}

class Segments6 {
  readonly #starts: Uint32Array;
  readonly #marks: Uint8Array;

  constructor({ starts, marks }: SegmentColumns) {
    this.#starts = starts;
    this.#marks = marks;
  }

  marksAt(words: Uint32Array): number {
    let low = 0;
    let high = this.#marks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startsAtOrBefore(middle, words)) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#marks[low - 1]!;
  }

  #startsAtOrBefore(segment: number, words: Uint32Array): boolean {
    const at = segment * 4;
    for (let word = 0; word < 4; word++) {
      const start = this.#starts[at + word]!;
      if (start !== words[word]) return start < words[word]!;
    }
    return true;
  }
}

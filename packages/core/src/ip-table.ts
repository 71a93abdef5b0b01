import { parseCidr } from "./cidr.js";
import { parseIp } from "./ip-address.js";

/**
 * Answers which marks an address carries. Marks are bits of one byte, so that one table replaces
 * several lists; overlapping networks add up.
 */
export interface IpTable {
  /** Marks of the address: 0 when it is in no network, -1 when it is no IP address. */
  marksOf(ip: string): number;
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
  const words = new Uint32Array(4);
  return {
    size,
    marksOf(ip) {
      switch (parseIp(ip, words)) {
        case 4:
          return segments4.marksAt(words[0]!);
        case 6:
          return segments6.marksAt(words);
        default:
          return -1;
      }
    },
  };
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
    const order = this.#order();
    const starts: number[] = [];
    const marks: number[] = [];
    const open: { last: number[]; marks: number }[] = [];

    const emit = (start: readonly number[], value: number): void => {
      const previous = marks.length - 1;
      const sameStart = previous >= 0 && start.every((w, i) => w === starts[previous * width + i]);
      if (sameStart) marks[previous] = value;
      else if ((marks[previous] ?? 0) !== value) {
        starts.push(...start);
        marks.push(value);
      }
    };
    const close = (): void => {
      const { last } = open.pop()!;
      const next = successor(last);
      if (next) emit(next, open.at(-1)?.marks ?? 0);
    };

    for (const index of order) {
      const start = Array.from(this.#words.subarray(index * width, (index + 1) * width));
      while (open.length > 0 && compare(open.at(-1)!.last, start) < 0) close();
      const value = (open.at(-1)?.marks ?? 0) | this.#marks[index]!;
      emit(start, value);
      open.push({ last: lastOf(start, this.#lengths[index]!), marks: value });
    }
    while (open.length > 0) close();
    return { starts: Uint32Array.from(starts), marks: Uint8Array.from(marks) };
  }

  #order(): Uint32Array {
    const width = this.#width;
    const words = this.#words;
    const lengths = this.#lengths;
    return Uint32Array.from(lengths.keys()).sort((a, b) => {
      for (let word = 0; word < width; word++) {
        const difference = words[a * width + word]! - words[b * width + word]!;
        if (difference !== 0) return difference;
      }
      return lengths[a]! - lengths[b]!;
    });
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let word = 0; word < a.length; word++) {
    if (a[word] !== b[word]) return a[word]! - b[word]!;
  }
  return 0;
}

function lastOf(start: readonly number[], length: number): number[] {
  return start.map((value, word) => {
    const kept = Math.min(32, Math.max(0, length - 32 * word));
    return kept === 32 ? value : (value | (0xffffffff >>> kept)) >>> 0;
  });
}

/** The next address, or undefined behind the very last one. */
function successor(words: readonly number[]): number[] | undefined {
  const next = [...words];
  for (let word = next.length - 1; word >= 0; word--) {
    if (next[word] !== 0xffffffff) {
      next[word]!++;
      return next;
    }
    next[word] = 0;
  }
  return undefined;
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

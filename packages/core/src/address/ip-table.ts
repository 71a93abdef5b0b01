import { parseCidr } from "./cidr.js";
import { type IpVersion, parseIp } from "./ip-address.js";
import { SegmentBuilder } from "./segment-builder.js";
import type { SegmentColumns } from "./segment-sweep.js";

/**
 * Looks up the marks of an address. Marks are bits of one byte, so one table replaces several
 * lists; overlapping networks combine their marks.
 */
export interface IpTable {
  /** Returns the marks of the address: 0 if no network contains it, -1 if it is not an IP address. */
  marksOf(ip: string): number;
  /** Like `marksOf`, for an address that `parseIp` wrote to `words`. */
  marksAt(version: IpVersion, words: Uint32Array): number;
  readonly size: number;
}

/** A network in CIDR notation, or a bare address, with its marks (1 to 255). */
export type IpTableEntry = readonly [cidr: string, marks: number];

/**
 * Compiles networks into sorted arrays. The address space is divided into segments, each identified
 * by its first address; a lookup is one binary search, regardless of the number of networks and
 * their nesting.
 *
 * @param onInvalid Receives each text that is not a network; by default they are skipped silently.
 */
export function createIpTable(
  entries: Iterable<IpTableEntry>,
  onInvalid?: (text: string) => void,
): IpTable;
/**
 * Compiles over several turns of the event loop, so that a list of a million does not block.
 * @param pause Awaited after every few thousand networks.
 */
export function createIpTable(
  entries: Iterable<IpTableEntry>,
  onInvalid: ((text: string) => void) | undefined,
  pause: () => Promise<unknown>,
): Promise<IpTable>;
export function createIpTable(
  entries: Iterable<IpTableEntry>,
  onInvalid?: (text: string) => void,
  pause?: () => Promise<unknown>,
): IpTable | Promise<IpTable> {
  const steps = compile(entries, onInvalid);
  if (pause) return finishSlowly(steps, pause);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

async function finishSlowly(
  steps: Generator<undefined, IpTable>,
  pause: () => Promise<unknown>,
): Promise<IpTable> {
  let step = steps.next();
  while (!step.done) {
    await pause();
    step = steps.next();
  }
  return step.value;
}

/** Compiles networks; yields after each step so that other work can run. */
function* compile(
  entries: Iterable<IpTableEntry>,
  onInvalid: ((text: string) => void) | undefined,
): Generator<undefined, IpTable> {
  const networks = new Networks(onInvalid);
  const iterator = entries[Symbol.iterator]();
  while (networks.addSome(iterator)) yield;
  const segments4 = new Segments(1, yield* networks.v4.build());
  const segments6 = new Segments(4, yield* networks.v6.build());
  const marksAt = (version: IpVersion, words: Uint32Array): number => {
    if (version === 0) return -1;
    return version === 4 ? segments4.marksAt(words) : segments6.marksAt(words);
  };
  const words = new Uint32Array(4);
  return { size: networks.size, marksAt, marksOf: (ip) => marksAt(parseIp(ip, words), words) };
}

/** Entries per step: a few milliseconds at most. */
const STRIDE = 4096;

class Networks {
  readonly v4 = new SegmentBuilder(1);
  readonly v6 = new SegmentBuilder(4);
  readonly #onInvalid: ((text: string) => void) | undefined;
  readonly #words = new Uint32Array(4);
  size = 0;

  constructor(onInvalid: ((text: string) => void) | undefined) {
    this.#onInvalid = onInvalid;
  }

  /** Adds the next entries; returns false if there are no more. */
  addSome(entries: Iterator<IpTableEntry>): boolean {
    for (let count = 0; count < STRIDE; count++) {
      const next = entries.next();
      if (next.done) return false;
      this.#add(next.value[0], next.value[1]);
    }
    return true;
  }

  #add(cidr: string, marks: number): void {
    const parsed = parseCidr(cidr, this.#words);
    if (parsed) {
      this.size++;
      (parsed.version === 4 ? this.v4 : this.v6).add(this.#words, parsed.length, marks);
    } else this.#onInvalid?.(cidr);
  }
}

/** With fewer segments, a plain binary search is as fast as an index, and saves 256 KiB. */
const INDEXED_FROM = 256;

class Segments {
  readonly #width: number;
  readonly #starts: Uint32Array;
  readonly #marks: Uint8Array;
  /** For each value of the first word's upper half, the number of segments that start before it. */
  readonly #index: Uint32Array | undefined;

  constructor(width: number, { starts, marks }: SegmentColumns) {
    this.#width = width;
    this.#starts = starts;
    this.#marks = marks;
    if (marks.length < INDEXED_FROM) return;
    const index = new Uint32Array(0x10001);
    let segment = 0;
    for (let upper = 0; upper <= 0x10000; upper++) {
      while (segment < marks.length && starts[segment * width]! < upper * 0x10000) segment++;
      index[upper] = segment;
    }
    this.#index = index;
  }

  marksAt(words: Uint32Array): number {
    const upper = words[0]! >>> 16;
    let low = this.#index ? this.#index[upper]! : 0;
    let high = this.#index ? this.#index[upper + 1]! : this.#marks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle * this.#width;
      let word = 0;
      while (word < this.#width && this.#starts[at + word] === words[word]) word++;
      const isBefore = word === this.#width || this.#starts[at + word]! < words[word]!;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : this.#marks[low - 1]!;
  }
}

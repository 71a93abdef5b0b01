import { SegmentSweep, type SegmentColumns } from "./segment-sweep.js";

const STRIDE = 16_384;

/**
 * Collects networks of one address width, and divides the address space into segments with constant
 * marks.
 */
export class SegmentBuilder {
  readonly #width: number;
  #size = 0;
  #words: Uint32Array;
  #lengths = new Uint8Array(16);
  #marks = new Uint8Array(16);

  constructor(width: number) {
    this.#width = width;
    this.#words = new Uint32Array(width * 16);
  }

  /** Adds the network of the first `length` bits of an address; its other bits are 0. */
  add(words: Uint32Array, length: number, marks: number): void {
    const index = this.#size++;
    if (index === this.#marks.length) this.#grow();
    const at = index * this.#width;
    for (let word = 0; word < this.#width; word++) this.#words[at + word] = words[word]!;
    this.#lengths[index] = length;
    this.#marks[index] = marks;
  }

  /** Compiles the added networks; yields after each step so that other work can run. */
  *build(): Generator<undefined, SegmentColumns> {
    const order = yield* this.#order();
    const sweep = new SegmentSweep(this.#width, this.#size);
    for (let from = 0; from < this.#size; from += STRIDE) {
      if (from > 0) yield;
      this.#pass(sweep, order.subarray(from, from + STRIDE));
    }
    return sweep.finish();
  }

  #pass(sweep: SegmentSweep, order: Uint32Array): void {
    for (let position = 0; position < order.length; position++) {
      const index = order[position]!;
      sweep.open(this.#words, index * this.#width, this.#lengths[index]!, this.#marks[index]!);
    }
  }

  /**
   * Returns the positions sorted by first address, then by prefix length. Uses a
   * least-significant-byte radix sort: for complete feeds, several times as fast as comparing.
   */
  *#order(): Generator<undefined, Uint32Array> {
    let order = new Uint32Array(this.#size);
    for (let index = 0; index < order.length; index++) order[index] = index;
    let sorted = new Uint32Array(this.#size);
    if (sortByByte(this.#lengths, 1, 0, 0, order, sorted)) [order, sorted] = [sorted, order];
    for (let word = this.#width - 1; word >= 0; word--) {
      for (let shift = 0; shift < 32; shift += 8) {
        if (this.#size > STRIDE) yield;
        const isMoved = sortByByte(this.#words, this.#width, word, shift, order, sorted);
        if (isMoved) [order, sorted] = [sorted, order];
      }
    }
    return order;
  }

  #grow(): void {
    this.#words = doubled(this.#words, Uint32Array);
    this.#lengths = doubled(this.#lengths, Uint8Array);
    this.#marks = doubled(this.#marks, Uint8Array);
  }
}

function doubled<T extends Uint8Array | Uint32Array>(array: T, Type: new (length: number) => T): T {
  const grown = new Type(array.length * 2);
  grown.set(array);
  return grown;
}

/**
 * Stably sorts positions by one byte of a column.
 *
 * @param stride Numbers in `column` per position; the one at `offset` is the key.
 * @param order The positions in their current order; not modified.
 * @param sorted Receives the sorted positions.
 * @returns False, leaving `sorted` unset, if all bytes are equal, as in trailing zeros of IPv6.
 */
function sortByByte(
  column: Uint8Array | Uint32Array,
  stride: number,
  offset: number,
  shift: number,
  order: Uint32Array,
  sorted: Uint32Array,
): boolean {
  const count = order.length;
  const ends = new Uint32Array(256);
  for (let index = 0; index < count; index++) {
    ends[(column[index * stride + offset]! >>> shift) & 255]!++;
  }
  if (ends.includes(count)) return false;
  for (let value = 1; value < 256; value++) ends[value]! += ends[value - 1]!;
  for (let position = count - 1; position >= 0; position--) {
    const index = order[position]!;
    sorted[--ends[(column[index * stride + offset]! >>> shift) & 255]!] = index;
  }
  return true;
}

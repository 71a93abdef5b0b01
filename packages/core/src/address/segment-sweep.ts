/** Segments of one address width; `starts` has `width` words for each, most significant first. */
export interface SegmentColumns {
  readonly starts: Uint32Array;
  readonly marks: Uint8Array;
}

/**
 * Divides the address space into segments in one pass over the networks. Two networks are either
 * nested or disjoint; they never overlap partially. Sorted by first address, larger networks first,
 * they need no state other than a stack of open networks.
 */
export class SegmentSweep {
  readonly #width: number;
  readonly #starts: Uint32Array;
  readonly #marks: Uint8Array;
  #size = 0;
  /** Last address and marks of each open network. They nest, so at most one per length is open. */
  readonly #lasts: Uint32Array;
  readonly #sums: Uint8Array;
  #depth = 0;

  /**
   * @param width Words of an address.
   * @param networks Maximum number of networks to open.
   */
  constructor(width: number, networks: number) {
    this.#width = width;
    // Each network adds at most two segment boundaries.
    this.#starts = new Uint32Array(2 * networks * width);
    this.#marks = new Uint8Array(2 * networks);
    this.#lasts = new Uint32Array((32 * width + 1) * width);
    this.#sums = new Uint8Array(32 * width + 1);
  }

  /** Opens the network given by the first `length` bits of the address at `at` in `words`. */
  open(words: Uint32Array, at: number, length: number, marks: number): void {
    const width = this.#width;
    const lasts = this.#lasts;
    while (this.#depth > 0 && compare(lasts, (this.#depth - 1) * width, words, at, width) < 0) {
      this.#close();
    }
    const outer = this.#depth - 1;
    const sum = marks | (outer < 0 ? 0 : this.#sums[outer]!);
    this.#emit(words, at, sum);
    const last = this.#depth * width;
    setLast(lasts, last, words, at, width, length);
    // The network reaches to the end of the innermost open one, and so replaces it.
    const isRest = outer >= 0 && compare(lasts, outer * width, lasts, last, width) === 0;
    if (isRest) this.#sums[outer] = sum;
    else this.#sums[this.#depth++] = sum;
  }

  finish(): SegmentColumns {
    while (this.#depth > 0) this.#close();
    return {
      starts: this.#starts.slice(0, this.#size * this.#width),
      marks: this.#marks.slice(0, this.#size),
    };
  }

  #close(): void {
    const at = --this.#depth * this.#width;
    const outer = this.#depth === 0 ? 0 : this.#sums[this.#depth - 1]!;
    if (advance(this.#lasts, at, this.#width)) this.#emit(this.#lasts, at, outer);
  }

  #emit(from: Uint32Array, at: number, marks: number): void {
    const width = this.#width;
    const previous = this.#size - 1;
    if (previous >= 0 && compare(this.#starts, previous * width, from, at, width) === 0) {
      this.#marks[previous] = marks;
    } else if ((previous < 0 ? 0 : this.#marks[previous]) !== marks) {
      const to = this.#size * width;
      for (let word = 0; word < width; word++) this.#starts[to + word] = from[at + word]!;
      this.#marks[this.#size++] = marks;
    }
  }
}

/** Compares the address at `a` in `left` with that at `b` in `right`; below 0 if smaller. */
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

/** Replaces an address with the next one; returns false after the last one. */
function advance(words: Uint32Array, at: number, width: number): boolean {
  for (let word = at + width - 1; word >= at; word--) {
    // A word that overflows becomes 0 and carries into the word before it.
    words[word]!++;
    if (words[word] !== 0) return true;
  }
  return false;
}

import { randomInt } from "node:crypto";

/** Words of a slot: two hashes of a name, and its mark. */
const WORDS = 3;

const DOT = 46;

/**
 * Marks of domain names.
 *
 * Names are not kept, only two hashes of each, 64 bits in all: among a million names, one in twenty
 * trillion others is taken for one of them. They are made from the end of a name to its start, so
 * that one pass over a name finds it and the domains above it, and each of them is one look into
 * memory, where a `Map` needs a text for each and takes several.
 */
export class DomainTable {
  /** A slot whose mark is 0 is free. */
  #slots = new Uint32Array(WORDS * 64);
  #size = 0;

  /** Mark a name, with a whole number above 0, in place of the mark that it has. */
  set(name: string, mark: number): void {
    let hash = SEED;
    let check = CHECK_SEED;
    for (let at = name.length - 1; at >= 0; at--) {
      const code = name.charCodeAt(at);
      hash = mix(hash, code);
      check = mixAgain(check, code);
    }
    const slots = this.#slots;
    const slot = slotOf(slots, hash >>> 0, check >>> 0);
    if (slots[slot + 2] === 0) this.#size++;
    slots[slot] = hash;
    slots[slot + 1] = check;
    slots[slot + 2] = mark;
    // A quarter of the slots stays free, or looks for what is not there would take long.
    if (this.#size * WORDS * 4 > slots.length * 3) this.#grow();
  }

  /**
   * Join the marks of the domains above a name and of the name itself, the shortest first; what has
   * no dot has no mark.
   *
   * @returns 0 where none is marked.
   */
  join(name: string, joined: (marks: number, mark: number) => number): number {
    const slots = this.#slots;
    let marks = 0;
    let hash = SEED;
    let check = CHECK_SEED;
    let hasDot = false;
    for (let at = name.length - 1; at >= -1; at--) {
      const code = at < 0 ? DOT : name.charCodeAt(at);
      if (code === DOT) {
        const mark = hasDot ? slots[slotOf(slots, hash >>> 0, check >>> 0) + 2]! : 0;
        if (mark > 0) marks = joined(marks, mark);
        hasDot = true;
      }
      hash = mix(hash, code);
      check = mixAgain(check, code);
    }
    return marks;
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Uint32Array(2 * old.length);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + 2] === 0) continue;
      slots.set(old.subarray(at, at + WORDS), slotOf(slots, old[at]!, old[at + 1]!));
    }
    this.#slots = slots;
  }
}

/** First word of the slot of a name, or of the free one that it would have. */
function slotOf(slots: Uint32Array, hash: number, check: number): number {
  const mask = slots.length / WORDS - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (;;) {
    const at = WORDS * slot;
    if (slots[at + 2] === 0 || (slots[at] === hash && slots[at + 1] === check)) return at;
    slot = (slot + 1) & mask;
  }
}

// Others in each process, so that nobody can write a list whose names crowd into the same slots.
const SEED = randomInt(2 ** 32);
const CHECK_SEED = randomInt(2 ** 32);

/** Source: FNV-1a, 32 bits. */
function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** Source: the multiplication and the shift of MurmurHash2. */
function mixAgain(hash: number, code: number): number {
  const product = Math.imul(hash ^ code, 0x5bd1e995);
  return product ^ (product >>> 15);
}

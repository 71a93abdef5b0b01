import { doubleLength } from "./double-length.js";

/** No slot. */
const NONE = -1;

/**
 * Numbers for keys: each key has a slot, a small number that is used again once the key is gone, and
 * whose owner keeps what belongs to the key in arrays. The keys are in the order in which they were
 * last touched.
 *
 * The order is a separate list: to find the oldest key of a `Map`, a search passes the gaps that
 * every key moved or removed has left at its front.
 */
export class RecencyIndex {
  readonly #slots = new Map<string, number>();
  /** Key of each slot; the empty text for one that is free. */
  readonly #keys: string[] = [];
  /** Slots before and after each slot in a ring: before the oldest comes the youngest. */
  #older = new Int32Array(16);
  #newer = new Int32Array(16);
  #oldest = NONE;
  readonly #free: number[] = [];

  get size(): number {
    return this.#slots.size;
  }

  /** The key touched longest ago. */
  get oldest(): string | undefined {
    return this.#oldest === NONE ? undefined : this.#keys[this.#oldest];
  }

  /** All keys, the one touched longest ago first. */
  keys(): string[] {
    const keys: string[] = [];
    let slot = this.#oldest;
    while (keys.length < this.#slots.size) {
      keys.push(this.#keys[slot]!);
      slot = this.#newer[slot]!;
    }
    return keys;
  }

  /** Slot of a key, or undefined. Reading leaves the order as it is. */
  get(key: string): number | undefined {
    return this.#slots.get(key);
  }

  /** Slot of a key, which is now the youngest; a key that is not known gets a free slot. */
  touch(key: string): number {
    const known = this.#slots.get(key);
    const slot = known ?? this.#add(key);
    if (known !== undefined) this.#unlink(slot);
    this.#append(slot);
    return slot;
  }

  /** Forgets a key; its slot is free from now on. Undefined when it is not known. */
  delete(key: string): number | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    this.#slots.delete(key);
    this.#unlink(slot);
    this.#keys[slot] = "";
    this.#free.push(slot);
    return slot;
  }

  #add(key: string): number {
    const slot = this.#free.pop() ?? this.#keys.length;
    if (slot === this.#older.length) {
      this.#older = doubleLength(this.#older);
      this.#newer = doubleLength(this.#newer);
    }
    this.#keys[slot] = key;
    this.#slots.set(key, slot);
    return slot;
  }

  #append(slot: number): void {
    if (this.#oldest === NONE) {
      this.#oldest = slot;
      this.#older[slot] = slot;
    }
    const youngest = this.#older[this.#oldest]!;
    this.#newer[slot] = this.#oldest;
    this.#older[slot] = youngest;
    this.#newer[youngest] = slot;
    this.#older[this.#oldest] = slot;
  }

  #unlink(slot: number): void {
    const newer = this.#newer[slot]!;
    const older = this.#older[slot]!;
    if (slot === this.#oldest) this.#oldest = newer === slot ? NONE : newer;
    this.#newer[older] = newer;
    this.#older[newer] = older;
  }
}

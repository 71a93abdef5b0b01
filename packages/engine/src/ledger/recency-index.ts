import { doubleLength } from "./double-length.js";

const NONE = -1;

/**
 * Numbers keys by slot: a small number that is reused once its key is deleted, and by which the
 * owner indexes arrays of data. Keys are in the order of their last use.
 *
 * The order is a separate list: a `Map` has gaps at its front for every moved or deleted key, which
 * a search for the oldest key must pass.
 */
export class RecencyIndex {
  readonly #slots = new Map<string, number>();
  /** Key of each slot; empty for a free one. */
  readonly #keys: string[] = [];
  /** Slots before and after each slot in a ring: the newest precedes the oldest. */
  #older = new Int32Array(16);
  #newer = new Int32Array(16);
  #oldest = NONE;
  readonly #free: number[] = [];

  get size(): number {
    return this.#slots.size;
  }

  get oldest(): string | undefined {
    return this.#oldest === NONE ? undefined : this.#keys[this.#oldest];
  }

  keys(): string[] {
    const keys: string[] = [];
    let slot = this.#oldest;
    while (keys.length < this.#slots.size) {
      keys.push(this.#keys[slot]!);
      slot = this.#newer[slot]!;
    }
    return keys;
  }

  /** Returns a key's slot without changing the order, or undefined. */
  get(key: string): number | undefined {
    return this.#slots.get(key);
  }

  /** Returns a key's slot and moves it to the end; a new key gets a free slot. */
  touch(key: string): number {
    const known = this.#slots.get(key);
    const slot = known ?? this.#add(key);
    if (known !== undefined) this.#unlink(slot);
    this.#append(slot);
    return slot;
  }

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

/**
 * The part of the package `lru-cache` that is used here, at a twentieth of its size: entries in the
 * order of their use, of which a Map keeps the order.
 */
export class LRUCache<Key extends {}, Value extends {}> {
  readonly #entries = new Map<Key, Value>();
  readonly #max: number;

  constructor({ max, maxSize = max }: { readonly max?: number; readonly maxSize?: number }) {
    this.#max = maxSize ?? 0;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#max) this.#entries.delete(this.#entries.keys().next().value!);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }
}

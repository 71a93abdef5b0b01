import type { WindowBounds } from "../detection/window-bounds.js";
import type { WindowChange, Windows } from "../detection/windows.js";

export interface WindowMemory extends Windows {
  /** Sets values. Changes to maps that this version does not use are ignored. */
  apply(changes: readonly WindowChange[]): void;
  clear(): void;
}

/**
 * Creates empty windows.
 *
 * @param bounds Bounds by map name.
 * @param nowMs Monotonic clock in milliseconds.
 */
export function createWindowMemory(
  bounds: Readonly<Record<string, WindowBounds>>,
  nowMs: () => number,
): WindowMemory {
  const maps = new Map(
    Object.entries(bounds).map(([name, one]) => [name, new BoundedMap(one, nowMs)]),
  );
  return {
    get: (map, key) => maps.get(map)?.get(key),
    apply(changes) {
      for (const { map, key, value } of changes) maps.get(map)?.set(key, value);
    },
    clear() {
      for (const map of maps.values()) map.clear();
    },
  };
}

/**
 * Holds values in two generations. Values are written to the young generation. When it is full or has
 * reached its age, it replaces the old generation. This needs no timer and no iteration over entries.
 */
export class BoundedMap {
  readonly #perGeneration: number;
  readonly #lifetimeMs: number;
  readonly #nowMs: () => number;
  #young = new Map<string, unknown>();
  #old = new Map<string, unknown>();
  #bornAtMs: number;

  constructor({ maxEntries, lifetimeMs }: WindowBounds, nowMs: () => number) {
    this.#perGeneration = Math.max(1, Math.floor(maxEntries / 2));
    this.#lifetimeMs = lifetimeMs;
    this.#nowMs = nowMs;
    this.#bornAtMs = nowMs();
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: string): unknown {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: string, value: unknown): void {
    const ageMs = this.#nowMs() - this.#bornAtMs;
    const isFull = this.#young.size >= this.#perGeneration && !this.#young.has(key);
    if (ageMs >= this.#lifetimeMs || isFull) {
      // After twice the lifetime, both generations are too old.
      this.#old = ageMs >= 2 * this.#lifetimeMs ? new Map<string, unknown>() : this.#young;
      this.#young = new Map();
      this.#bornAtMs = this.#nowMs();
    }
    this.#old.delete(key);
    this.#young.set(key, value);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}

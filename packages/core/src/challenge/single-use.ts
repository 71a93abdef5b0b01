import type { Awaitable } from "../model/awaitable.js";
import { CLOCK_SKEW_MS } from "./challenge-token.js";

/**
 * Remembers which challenge tokens were used. Any `SeenStore` fits that remembers a committed key for
 * longer than `challenge.ttlMs`.
 */
export interface SingleUseStore {
  /** Reserves all keys that are free, in one step; the answers are in the order of the keys. */
  reserve(keys: readonly string[]): Awaitable<readonly ("new" | "done" | "busy")[]>;
  commit(keys: readonly string[]): Awaitable<void>;
}

/** Most tokens remembered at a time, about 15 MB. */
const MAX_ENTRIES = 100_000;

/** Options of {@link createMemoryUses}. */
export interface MemoryUsesOptions {
  readonly ttlMs: number;
  readonly maxEntries?: number;
  /** The clock by which tokens expire, for tests. */
  readonly now?: () => number;
}

/**
 * Remembers used tokens in this process, each for as long as it could be valid. A full store throws: if
 * it evicted a token, the token could be used again.
 */
export function createMemoryUses(options: MemoryUsesOptions): SingleUseStore {
  const { ttlMs, maxEntries = MAX_ENTRIES, now = Date.now } = options;
  /** When each key may be removed, in the order of use. */
  const ends = new Map<string, number>();

  const forget = (): void => {
    const time = now();
    for (const [key, endMs] of ends) {
      if (endMs > time) return;
      ends.delete(key);
    }
  };
  return {
    reserve(keys) {
      forget();
      return keys.map((key) => {
        if (ends.has(key)) return "done";
        if (ends.size >= maxEntries) throw new RangeError("too many challenge tokens in use");
        ends.set(key, now() + ttlMs + CLOCK_SKEW_MS);
        return "new";
      });
    },
    // A reserved key is as good as used: it is never released.
    commit() {},
  };
}

/**
 * Uses a token up. If the process ends in between, the reservation expires, and nobody has passed: only
 * a committed token counts.
 *
 * @returns True for exactly one caller, whatever the others do at the same time.
 * @throws The error of the store; a TypeError for an unusable answer.
 */
export async function useUp(store: SingleUseStore, nonce: string): Promise<boolean> {
  // Keys of webhooks in the same store have another form.
  const keys = [`challenge:${nonce}`];
  const answers: unknown = await store.reserve(keys);
  const answer: unknown = Array.isArray(answers) && answers.length === 1 ? answers[0] : undefined;
  if (answer === "done" || answer === "busy") return false;
  if (answer !== "new")
    throw new TypeError('expected one of "new", "done" and "busy" for each key');
  await store.commit(keys);
  return true;
}

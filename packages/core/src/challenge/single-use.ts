import type { Awaitable } from "../model/awaitable.js";
import { CLOCK_SKEW_MS } from "./challenge-token.js";

/**
 * Remembers which challenge tokens were used. Any `SeenStore` that remembers committed keys for
 * longer than `challenge.ttlMs` is suitable.
 */
export interface SingleUseStore {
  /** Reserves all free keys atomically; the results are in the order of the keys. */
  reserve(keys: readonly string[]): Awaitable<readonly ("new" | "done" | "busy")[]>;
  commit(keys: readonly string[]): Awaitable<void>;
}

/** Maximum number of remembered tokens, about 15 MB. */
const MAX_ENTRIES = 100_000;

/** Options of {@link createMemoryUses}. */
export interface MemoryUsesOptions {
  readonly ttlMs: number;
  readonly maxEntries?: number;
  /** Clock for token expiry, in milliseconds, for tests. */
  readonly now?: () => number;
}

/**
 * Remembers used tokens in this process until they expire. A full store throws: if it evicted a
 * token, that token could be used again.
 */
export function createMemoryUses(options: MemoryUsesOptions): SingleUseStore {
  const { ttlMs, maxEntries = MAX_ENTRIES, now = Date.now } = options;
  /** Expiry time of each key, in order of use. */
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
    // A reserved key counts as used: it is never released.
    commit() {},
  };
}

/**
 * Uses up a token. If the process exits between the two steps, the reservation expires without the
 * request having passed: only a committed token counts.
 *
 * @returns True for exactly one of all concurrent callers.
 * @throws The store's error; a TypeError if the store returns an unusable value.
 */
export async function useUp(store: SingleUseStore, nonce: string): Promise<boolean> {
  // The prefix keeps them apart from webhook keys in the same store.
  const keys = [`challenge:${nonce}`];
  const answers: unknown = await store.reserve(keys);
  const answer: unknown = Array.isArray(answers) && answers.length === 1 ? answers[0] : undefined;
  if (answer === "done" || answer === "busy") return false;
  if (answer !== "new")
    throw new TypeError('expected one of "new", "done" and "busy" for each key');
  await store.commit(keys);
  return true;
}

import { LRUCache } from "lru-cache";
import type { Awaitable } from "../base/awaitable.js";
import { monotonicMs } from "../base/clock.js";
import { positiveInteger } from "../base/option.js";

/**
 * What a store knows of a payload: nothing until now (and reserved by this call), handled, or being
 * handled elsewhere.
 */
export type Reservation = "new" | "done" | "busy";

/**
 * Remembers which payloads were handled, so that a redelivery runs only what has not yet succeeded.
 *
 * A key is reserved before its handler runs, then committed when it succeeded or released when it
 * failed. Keys are opaque and short. Every entry must expire, reservations sooner than commitments.
 */
export interface SeenStore {
  /** Reserve all keys that are free; the answers are in the order of the keys. */
  reserve(keys: readonly string[]): Awaitable<readonly Reservation[]>;
  commit(keys: readonly string[]): Awaitable<void>;
  release(keys: readonly string[]): Awaitable<void>;
}

/** Options of {@link createMemorySeenStore}. */
export interface MemorySeenStoreOptions {
  /** How long a handled payload is remembered, in milliseconds; default 24 hours. */
  ttlMs?: number;
  /** How long a reservation holds without commit or release, in milliseconds; default 1 minute. */
  reservationMs?: number;
  /** Most keys remembered; the one longest unused gives way. Default 100,000 (about 15 MB). */
  maxEntries?: number;
  /** Monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/**
 * Remember handled payloads in this process. Several processes behind one endpoint need a shared
 * store instead, or each handles a redelivery once.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a number that is not positive.
 */
export function createMemorySeenStore(options: MemorySeenStoreOptions = {}): SeenStore {
  const ttlMs = positiveInteger("ttlMs", options.ttlMs, 24 * 3_600_000);
  const reservationMs = positiveInteger("reservationMs", options.reservationMs, 60_000);
  const max = positiveInteger("maxEntries", options.maxEntries, 100_000);
  const now = options.now ?? monotonicMs;
  /**
   * When a handled payload is forgotten, or with a minus when a reservation ends: one small integer a
   * key, which nobody has to clean up after, as long as the process is younger than 24 days.
   */
  const entries = new LRUCache<string, number>({ max });
  const startMs = Math.floor(now());
  const elapsedMs = (): number => Math.floor(now()) - startMs;

  return {
    reserve(keys) {
      const time = elapsedMs();
      return keys.map((key) => {
        const entry = entries.get(key);
        if (entry !== undefined && Math.abs(entry) > time) return entry > 0 ? "done" : "busy";
        entries.set(key, -(time + reservationMs));
        return "new";
      });
    },
    commit(keys) {
      const untilMs = elapsedMs() + ttlMs;
      for (const key of keys) entries.set(key, untilMs);
    },
    release(keys) {
      for (const key of keys) entries.delete(key);
    },
  };
}

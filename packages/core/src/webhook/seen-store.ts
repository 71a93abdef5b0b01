import { createLru } from "../base/platform.js";
import type { Awaitable } from "../model/awaitable.js";
import { monotonicMs } from "../base/clock.js";
import { readOptions } from "../base/options.js";

/**
 * State of a payload in a store: unknown (and reserved by this call), handled, or being handled
 * elsewhere.
 */
export type Reservation = "new" | "done" | "busy";

/**
 * Remembers which payloads were handled, so that a redelivery repeats only failed ones.
 *
 * A key is reserved before its handler runs, then committed if it succeeded or released if it
 * failed. Keys are opaque and short. Every entry must expire, reservations sooner than commitments.
 */
export interface SeenStore {
  /** Reserves all free keys; results are in the order of the keys. */
  reserve(keys: readonly string[]): Awaitable<readonly Reservation[]>;
  commit(keys: readonly string[]): Awaitable<void>;
  release(keys: readonly string[]): Awaitable<void>;
}

export interface MemorySeenStoreOptions {
  /** How long a handled payload is remembered, in milliseconds; default 24 hours. */
  ttlMs?: number;
  /** How long a reservation lasts without commit or release, in milliseconds; default 1 minute. */
  reservationMs?: number;
  /**
   * Maximum number of keys, default 100,000 (about 15 MB). Beyond it, the least recently used one
   * is evicted.
   */
  maxEntries?: number;
  /** Monotonic clock in milliseconds, for tests. */
  now?: () => number;
}

/**
 * Remembers handled payloads in this process. Several processes that serve one endpoint need a
 * shared store; otherwise each handles a redelivery once.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createMemorySeenStore(options: MemorySeenStoreOptions = {}): SeenStore {
  const { ttlMs, reservationMs, max, now } = readOptions(
    "createMemorySeenStore",
    options,
    (given) => ({
      ttlMs: given.durationMs("ttlMs", 24 * 3_600_000),
      reservationMs: given.durationMs("reservationMs", 60_000),
      max: given.integer("maxEntries", 100_000),
      now: given.function<() => number>("now") ?? monotonicMs,
    }),
  );
  /**
   * When a handled payload is forgotten, or as a negative number when a reservation ends: one small
   * integer per key, without any cleanup, while the process is younger than 24 days.
   */
  const entries = createLru<string, number>(max);
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

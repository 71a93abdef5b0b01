import type { Awaitable } from "../model/awaitable.js";

/** Counters that one event is about, and what to do with them. */
export interface Tally {
  /** Names of counters, each once. They hold plain identifiers: a store that others can read hashes them. */
  readonly counters: readonly string[];
  /** Length of the sliding window, in milliseconds. */
  readonly windowMs: number;
  /** Add 1 to each counter before it is read; false only reads. */
  readonly adds: boolean;
  /** Adds only where this was not added within the window: what one visitor sends twice is one event. */
  readonly once?: string;
}

/**
 * Keeps counts over sliding windows.
 *
 * A window may be taken in two parts: what was counted in the part before weighs by as much of it as the
 * window still covers. A counter must expire within two windows of the last event.
 */
export interface VelocityStore {
  /** True where every call answers at once, without a promise. */
  readonly isSync?: boolean;
  /** Count, in one step where other processes count too; the answers are in the order of the counters. */
  tally(tally: Tally): Awaitable<readonly number[]>;
}

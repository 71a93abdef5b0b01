import type { Awaitable } from "../model/awaitable.js";

export interface Tally {
  /** Names of counters, each once. They hold plain identifiers: a store that others can read hashes them. */
  readonly counters: readonly string[];
  /** Length of the sliding window, in milliseconds. */
  readonly windowMs: number;
  /** Adds 1 to each counter before it is read; false only reads. */
  readonly adds: boolean;
  /** Adds only if this was not added within the window: a form that is sent twice is one event. */
  readonly once?: string;
  /**
   * Adds to a counter only if this text was not added to it within the window. If the earlier part of
   * the window has it, it moves to the current part: a counter counts each text once.
   */
  readonly distinct?: string;
  /** Takes `distinct` back from each counter that has it within the window; `adds` is false. */
  readonly takesBack?: boolean;
}

/**
 * Keeps counts over sliding windows.
 *
 * A window may be taken in two parts: what was counted in the part before weighs by as much of it as the
 * window still covers. A counter must expire within two windows of the last event.
 */
export interface VelocityStore {
  /** True if every call answers at once, without a promise. */
  readonly isSync?: boolean;
  /** Counts, atomically for all processes; the answers are in the order of the counters. */
  tally(tally: Tally): Awaitable<readonly number[]>;
}

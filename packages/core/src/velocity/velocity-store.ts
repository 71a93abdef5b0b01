import type { Awaitable } from "../model/awaitable.js";

export interface Tally {
  /**
   * Distinct counter names. They contain plain identifiers: a store that others can read hashes
   * them.
   */
  readonly counters: readonly string[];
  /** Length of the sliding window, in milliseconds. */
  readonly windowMs: number;
  /** Adds 1 to each counter before it is read; false only reads. */
  readonly adds: boolean;
  /** Adds only if this was not added within the window: a form submitted twice is one event. */
  readonly once?: string;
  /**
   * Adds to a counter only if this text was not added to it within the window. Text from the
   * earlier part of the window moves to the current part: a counter counts each text once.
   */
  readonly distinct?: string;
  /** Removes `distinct` from each counter that has it within the window; `adds` is false. */
  readonly takesBack?: boolean;
}

/**
 * Counts over sliding windows.
 *
 * A window may be approximated by two periods: counts of the previous period are weighted by the
 * part of it that the window still covers. A counter must expire within two windows of its last
 * event.
 */
export interface VelocityStore {
  /** True if every call returns its result without a promise. */
  readonly isSync?: boolean;
  /** Counts atomically across all processes; returns counts in the order of the counters. */
  tally(tally: Tally): Awaitable<readonly number[]>;
}

import type { Counter, EventReport, LabelReport, LoginReport } from "./report.js";

/**
 * Accepts an application's reports. Reporting methods never wait or throw: a report that is invalid
 * or cannot be stored is dropped, counted and passed to `onDrop`.
 */
export interface Reporter {
  event(report: EventReport): void;
  login(report: LoginReport): void;
  /** Labels a decision or an account as fraud or legitimate, for rehearsals. */
  label(report: LabelReport): void;
  /**
   * Increases a counter by `by`, default 1. Report failed logins with this or with `login`, not
   * both.
   */
  count(counter: Counter, by?: number): void;
  /** Returns the numbers of reports so far, by state. */
  stats(): ReporterStats;
  /** Resolves when everything is sent or the time limit expires; never rejects. */
  flush(): Promise<void>;
  /** Flushes and releases everything. Later reports are dropped. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ReporterStats {
  readonly queued: number;
  /** Size of the queued reports, in bytes of JSON. */
  readonly queuedBytes: number;
  readonly accepted: number;
  /** Resent because the response was lost, and already known to the service. */
  readonly duplicates: number;
  /** Rejected as invalid by the reporter or the service. */
  readonly refused: number;
  /** Valid but lost. */
  readonly dropped: number;
  readonly counts: { readonly queued: number; readonly accepted: number; readonly dropped: number };
}

import type { Counter, EventReport, LoginReport } from "./report.js";

/**
 * Receives reports of an application. No method that reports waits or throws: a report that cannot be
 * used or stored is dropped, counted and passed to `onDrop`.
 */
export interface Reporter {
  /** Reports a security event. */
  event(report: EventReport): void;
  /** Reports how a login ended. */
  login(report: LoginReport): void;
  /** Counts something that happened `by` times, by default once. Report failed logins with this or with `login`, not both. */
  count(counter: Counter, by?: number): void;
  /** Returns the numbers of reports so far. */
  stats(): ReporterStats;
  /** Resolves when everything was sent, or the time for it is over; never rejects. */
  flush(): Promise<void>;
  /** Flushes and releases everything. Later reports are dropped. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Numbers of events and logins, and of counts. */
export interface ReporterStats {
  /** Waiting or being sent. */
  readonly queued: number;
  /** Bytes of JSON of the queued reports. */
  readonly queuedBytes: number;
  readonly accepted: number;
  /** Sent again because the answer was lost, and already known to the service. */
  readonly duplicates: number;
  /** Refused by the reporter or the service as unusable. */
  readonly refused: number;
  /** Usable but lost. */
  readonly dropped: number;
  /** Counts that wait, were accepted, or were lost. */
  readonly counts: { readonly queued: number; readonly accepted: number; readonly dropped: number };
}

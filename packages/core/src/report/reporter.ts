import type { Counter, EventReport, LoginReport } from "./report.js";

/**
 * Takes what an application has seen. No method that reports waits for anything or throws: a report
 * that cannot be used, or cannot be kept, is dropped, counted and told.
 */
export interface Reporter {
  /** Report a security event. */
  event(report: EventReport): void;
  /** Report how a login ended. */
  login(report: LoginReport): void;
  /** Count what happened `by` times, by default once. Report failed logins so or by `login`, not both. */
  count(counter: Counter, by?: number): void;
  /** What has become of the reports so far. */
  stats(): ReporterStats;
  /** Resolves when nothing is left to be sent, or the time for it is over; never rejects. */
  flush(): Promise<void>;
  /** Flush, take no more reports, and let go of everything. Later reports are dropped. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Numbers of events and logins; what was counted has numbers of its own. */
export interface ReporterStats {
  /** Waiting, or on their way. */
  readonly queued: number;
  /** Bytes of JSON that those take. */
  readonly queuedBytes: number;
  readonly accepted: number;
  /** Sent again because the answer was lost, and known already. */
  readonly duplicates: number;
  /** Unusable, by the judgement of the reporter or of the service. */
  readonly refused: number;
  /** Usable, and lost all the same. */
  readonly dropped: number;
  /** What was counted and is not sent, sent, or lost. */
  readonly counts: { readonly queued: number; readonly accepted: number; readonly dropped: number };
}

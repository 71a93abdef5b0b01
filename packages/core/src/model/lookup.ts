import type { EmailAssessment, IpAssessment, Scored } from "./assessment.js";

/** Options of one lookup. */
export interface LookupOptions {
  /** Ends this lookup for this caller, with code `ABORTED`. */
  signal?: AbortSignal;
  /**
   * How long this caller can wait, in milliseconds. A gate says here what is left of its budget, so
   * that a client can plan by it: when the time is over, it counts against the service, an older
   * answer may serve, and the error is what the service said last, otherwise `TIMEOUT`. A lookup may
   * ignore it; the signal fires at the same time.
   */
  timeoutMs?: number;
}

/**
 * One question about one identifier, wherever the answer comes from: an HTTP client, an engine in
 * this process, or a test double.
 */
export interface RiskLookup {
  lookupIp(ip: string, options?: LookupOptions): Promise<IpAssessment>;
  lookupEmail(email: string, options?: LookupOptions): Promise<EmailAssessment>;

  /**
   * What is in memory right now, or undefined. The gate asks this first: an answer makes the whole
   * decision without a promise. Must not throw and must not do any input or output.
   */
  peekIp?(ip: string): Scored<IpAssessment> | undefined;
  /** The same for an email address. */
  peekEmail?(email: string): Scored<EmailAssessment> | undefined;
}

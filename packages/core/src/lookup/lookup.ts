import type { EmailAssessment, IpAssessment, Scored } from "./assessment.js";

/** Options of one lookup. */
export interface LookupOptions {
  /** Ends this lookup for this caller, with code `ABORTED`. */
  signal?: AbortSignal;
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

import type { EmailAssessment, IpAssessment, Scored } from "./assessment.js";

export interface LookupOptions {
  /** Aborts the lookup for this caller, with code `ABORTED`. */
  signal?: AbortSignal;
  /**
   * How long this caller can wait, in milliseconds: a gate passes its remaining budget. When it
   * expires, a client counts a service failure and returns a stale answer, the service's latest
   * error, or `TIMEOUT`. A lookup may ignore it; the signal fires at the same time.
   */
  timeoutMs?: number;
}

/** Looks up identifiers: an HTTP client, an in-process engine or a test double. */
export interface RiskLookup {
  lookupIp(ip: string, options?: LookupOptions): Promise<IpAssessment>;
  lookupEmail(email: string, options?: LookupOptions): Promise<EmailAssessment>;

  /**
   * Returns a cached assessment, or undefined. The gate calls this first, to decide without a
   * promise. Must not throw or perform I/O.
   */
  peekIp?(ip: string): Scored<IpAssessment> | undefined;
  /** Like `peekIp`, for an email address. */
  peekEmail?(email: string): Scored<EmailAssessment> | undefined;
}

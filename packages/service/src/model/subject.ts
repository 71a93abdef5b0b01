import type { Instant } from "./instant.js";

const SUBJECT_TYPES = ["ip", "net", "account"] as const;

type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The address, network or account that a ledger entry concerns. */
export interface Subject {
  readonly type: SubjectType;
  /** An address in normal form, an IPv6 network as a CIDR, or a case-folded account identifier. */
  readonly subject: string;
}

/** A security event that counts towards a subject. */
export interface LedgerEntry extends Subject {
  readonly applicationId: string;
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
  /** Only names the subject, and does not count in lookups. */
  readonly isNotice?: boolean;
}

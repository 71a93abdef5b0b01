import type { Instant } from "./instant.js";

const SUBJECT_TYPES = ["ip", "net", "account"] as const;

type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The address, network or account that a ledger entry concerns. */
export interface Subject {
  readonly type: SubjectType;
  /** An address in normal form, an IPv6 network as a CIDR, or a case-folded account identifier. */
  readonly subject: string;
}

/** Selects ledger entries: the shared ones, and the others of an application. */
export interface LedgerScope {
  readonly isShared?: boolean;
  readonly applicationId?: string;
}

/** A security event that counts towards a subject. */
export interface LedgerRecord extends Subject {
  /** `seq` of the event in the log. */
  readonly seq: number;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
  /** Only names the subject, and does not count in lookups. */
  readonly isNotice?: boolean;
}

/** A recorded entry, with its event. */
export interface LedgerEntry extends LedgerRecord {
  readonly applicationId: string;
  /** Id and kind of the event; null once the event is past the retention. */
  readonly eventId: string | null;
  readonly kind: string | null;
  /** Counts for all applications; otherwise only for the one that reported it. */
  readonly isShared?: boolean;
}

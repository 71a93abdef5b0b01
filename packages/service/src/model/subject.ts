import type { Instant } from "./instant.js";

const SUBJECT_TYPES = ["ip", "net", "account"] as const;

type SubjectType = (typeof SUBJECT_TYPES)[number];

/** Whom an entry of the ledger is about. */
export interface Subject {
  readonly type: SubjectType;
  /** Address in its normal form, IPv6 network as a CIDR, or identifier of an account, folded. */
  readonly subject: string;
}

/** One security event, as it counts for one subject. */
export interface LedgerEntry extends Subject {
  readonly applicationId: string;
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly highRisk: boolean;
}

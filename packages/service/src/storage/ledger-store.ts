import type { Instant } from "./instant.js";

const SUBJECT_TYPES = ["ip", "net", "account"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

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

/** The record of events by address and account, for all applications together. */
export interface LedgerStore {
  record(entries: readonly LedgerEntry[]): Promise<void>;
  /** Everything that occurred since then, in the order it was recorded, read in pages. */
  load(since: Instant): AsyncIterable<LedgerEntry>;
  /** The newest entries of one subject, newest first. */
  entriesOf(subject: Subject, limit: number): Promise<readonly LedgerEntry[]>;
  /** How many entries that were. See `storage.erase` for everything about a subject. */
  erase(subject: Subject): Promise<number>;
}

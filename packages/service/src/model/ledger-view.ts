import type { Ledger } from "@riskgate/engine";
import type { LedgerEntry, LedgerScope, Subject } from "./subject.js";

export type LedgerReader = Omit<Ledger, "record">;

/** The in-memory ledger as one application reads it. */
export interface LedgerView extends LedgerReader {
  /** Returns true if a new subject can evict another one. */
  isFull(type: "ip" | "account"): boolean;
  /** Returns the parts that are full and contain nothing about the subject. */
  mayHaveForgotten(subject: Subject): readonly LedgerPart[];
}

export interface LedgerPart {
  /** Selects the stored entries of the part. */
  readonly scope: LedgerScope;
  isMissing(subject: Subject): boolean;
  add(entries: readonly LedgerEntry[]): void;
}

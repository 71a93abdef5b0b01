import type { IpAssessment } from "@riskgate/core";
import type { LedgerRecord } from "./subject.js";

/** A ledger for calculating scores, which is thrown away. */
export interface ScratchLedger {
  add(entries: readonly LedgerRecord[]): void;
}

export interface RiskPeek {
  peekIp(ip: string): { readonly assessment: IpAssessment } | undefined;
  peekEmail(email: string): { readonly assessment: { readonly risk_score: number } } | undefined;
}

/** Returns a ledger with everything on record about some accounts, for calculating their scores. */
export type Scratch = (
  accounts: readonly string[],
) => Promise<{ readonly ledger: ScratchLedger; readonly peek: RiskPeek }>;

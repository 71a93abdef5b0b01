import type { LedgerEvent } from "@riskgate/engine";
import { epochMsOf } from "./instant.js";
import type { LedgerRecord } from "./subject.js";

/** Returns an entry as the ledger of the engine takes it. */
export function ledgerEventOf({ type, subject, highRisk, occurredAt }: LedgerRecord): LedgerEvent {
  const about = type === "account" ? { email: subject } : { ip: subject };
  return { ...about, highRisk, occurredAtMs: epochMsOf(occurredAt) };
}

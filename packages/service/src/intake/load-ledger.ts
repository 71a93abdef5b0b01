import type { LedgerEvent, MemoryLedger } from "@riskgate/engine";
import { epochMsOf, type Instant } from "../storage/instant.js";
import type { LedgerEntry, LedgerStore } from "../storage/ledger-store.js";

/** Entries that are replayed at once: few enough that other work goes on in between. */
const CHUNK = 5_000;

/** Fills the ledger that lookups read with the stored entries. */
export async function loadLedger(
  store: LedgerStore,
  ledger: MemoryLedger,
  since: Instant,
): Promise<void> {
  let chunk: LedgerEvent[] = [];
  for await (const entry of store.load(since)) {
    chunk.push(eventOf(entry));
    if (chunk.length < CHUNK) continue;
    ledger.replay(chunk);
    chunk = [];
  }
  ledger.replay(chunk);
}

function eventOf({ type, subject, highRisk, occurredAt }: LedgerEntry): LedgerEvent {
  const about = type === "account" ? { email: subject } : { ip: subject };
  return { ...about, highRisk, occurredAtMs: epochMsOf(occurredAt) };
}

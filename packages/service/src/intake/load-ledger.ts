import type { LedgerEvent, MemoryLedger } from "@riskgate/engine";
import { epochMsOf, type Instant } from "../storage/instant.js";
import type { LedgerEntry, LedgerStore } from "../storage/ledger-store.js";
import type { OwedEvents } from "./owed-events.js";

/** Entries that are replayed at once: few enough that other work goes on in between. */
const CHUNK = 5_000;

/**
 * Fills the ledger that lookups read with the stored entries. Those of events that are still to be
 * judged are left out: they count when that is done, so that a score is the same before and after
 * them as if the process had not ended.
 */
export async function loadLedger(
  store: LedgerStore,
  ledger: MemoryLedger,
  since: Instant,
  owed: readonly OwedEvents[],
): Promise<void> {
  const isOwed = new Set(
    owed.flatMap(({ applicationId, events }) => events.map(({ id }) => `${applicationId}/${id}`)),
  );
  let chunk: LedgerEvent[] = [];
  for await (const entry of store.load(since)) {
    if (isOwed.has(`${entry.applicationId}/${entry.eventId}`)) continue;
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

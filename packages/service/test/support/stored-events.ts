import type { StoredEvent } from "../../src/model/event.js";
import type { NewLogEntry } from "../../src/model/log-entry.js";
import type { LedgerRecord, Subject } from "../../src/model/subject.js";
import type { Storage } from "../../src/storage/storage.js";

/** A reported event as an entry of the log. */
export function entryOfStored({ payload, id, ...rest }: StoredEvent): NewLogEntry {
  const text = JSON.stringify(payload);
  return { type: "security_event", eventId: id, ...rest, cause: null, payload: text };
}

/** Subjects for which an event counts, with the event. */
export interface StoredWith extends StoredEvent {
  readonly about?: readonly Subject[];
}

/**
 * Store events as detection leaves them: in the log, with their entries in the ledger. Returns the
 * `seq` of each; undefined for a repeated id.
 */
export async function storeEvents(
  storage: Storage,
  applicationId: string,
  events: readonly StoredWith[],
): Promise<readonly (number | undefined)[]> {
  const entries = events.map((event) => entryOfStored(event));
  const [seqs = []] = await storage.log.append([{ applicationId, entries }]);
  const records = events.flatMap(({ about = [], occurredAt, highRisk }, index): LedgerRecord[] => {
    const seq = seqs[index];
    if (seq === undefined) return [];
    return about.map((subject) => ({ ...subject, seq, occurredAt, highRisk }));
  });
  await storage.ledger.record(applicationId, records);
  await storage.log.skip(applicationId, "detection");
  return seqs;
}

/** What the ledger has about a subject for all applications, oldest first. */
export async function ledgerAbout(
  { ledger }: Storage,
  { type, subject }: Subject,
): Promise<readonly LedgerRecord[]> {
  const entries = await ledger.entriesOf({ type, subject }, 100_000);
  return entries.toReversed();
}

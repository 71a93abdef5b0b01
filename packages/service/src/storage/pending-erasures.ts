import { sql } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { deleteDeliveries } from "./delete-deliveries.js";
import { inNumbers } from "./lists.js";
import type { DeliveryState } from "../model/delivery.js";
import type { Schema } from "./schema.js";

type PendingKind = Schema["pending_erasures"]["kind"];

/** Entries erased at a time. */
const STEP = 500;

/** Marks rows, by `seq`, for erasure once they end; returns how many were not yet marked. */
export async function eraseLater(
  database: Database,
  kind: PendingKind,
  seqs: readonly number[],
): Promise<number> {
  const marked = new Set(await pendingOf(database, kind));
  const rows = seqs.filter((seq) => !marked.has(seq)).map((target) => ({ kind, target }));
  // One at a time: there are few.
  for (const row of rows) await database.insertInto("pending_erasures").values(row).execute();
  return rows.length;
}

export interface ErasedEntries {
  readonly events: number;
  readonly deliveries: number;
  readonly pending: number;
}

/**
 * Empties entries of the log, and deletes the finished deliveries that they are part of. Entries that
 * detection has read and that are still to be delivered are marked instead.
 */
export function eraseEntries(database: Database, seqs: readonly number[]): Promise<ErasedEntries> {
  return atomically(database, async (within) => {
    const delivered = await deliveredOf(within, seqs);
    const sending = delivered.filter(({ state }) => state === "pending");
    const waiting = new Set([
      ...(await awaitedOf(within, seqs)),
      ...sending.map(({ entry }) => entry),
    ]);
    const now = seqs.filter((seq) => !waiting.has(seq));
    const finished = new Set(
      delivered.filter(({ entry }) => !waiting.has(entry)).map(({ delivery }) => delivery),
    );
    if (finished.size > 0) await deleteDeliveries(within, [...finished]);
    // The id remains, so that reporting the same event again does not restore it.
    const emptied = await within
      .updateTable("log")
      .set({ payload_json: "{}" })
      .where("seq", "in", inNumbers(within, now))
      .where("payload_json", "!=", "{}")
      .returning("type")
      .execute();
    const pending = await eraseLater(within, "entry", [...waiting]);
    const events = emptied.filter(({ type }) => type === "security_event").length;
    return { events, deliveries: finished.size, pending };
  });
}

interface DeliveredEntry {
  readonly entry: number;
  readonly delivery: number;
  readonly state: DeliveryState;
}

/** Returns the deliveries that contain entries. */
async function deliveredOf(
  database: Database,
  seqs: readonly number[],
): Promise<readonly DeliveredEntry[]> {
  const rows = await database
    .selectFrom("deliveries")
    .innerJoin("log", (join) =>
      join
        .onRef("log.application_id", "=", "deliveries.application_id")
        .onRef("log.seq", ">=", "deliveries.first_seq")
        .onRef("log.seq", "<=", "deliveries.last_seq"),
    )
    .select(["log.seq as entry", "deliveries.seq as delivery", "state", "without_json"])
    .where("log.seq", "in", inNumbers(database, seqs))
    .execute();
  return rows.filter(({ entry, without_json: without }) => {
    return without === null || !(JSON.parse(without) as number[]).includes(entry);
  });
}

/** Returns the entries that detection has read and that no delivery has reached. */
async function awaitedOf(database: Database, seqs: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ seq: number }>`
    select log.seq from log
      join cursors as delivery on delivery.application_id = log.application_id
        and delivery.consumer = 'delivery'
      join cursors as detection on detection.application_id = log.application_id
        and detection.consumer = 'detection'
      join applications on applications.id = log.application_id
    where log.seq in ${inNumbers(database, seqs)}
      and log.type not in ('login', 'counters')
      and log.seq > delivery.position
      and (log.seq <= detection.position or log.cause is not null)
      and applications.webhook_url is not null and applications.disabled_at is null
  `.execute(database);
  return rows.map(({ seq }) => seq);
}

/** Erases marked rows that have ended, and returns their number. */
export async function eraseEnded(database: Database): Promise<number> {
  const marked = await pendingOf(database, "entry");
  for (let start = 0; start < marked.length; start += STEP) {
    await eraseEntries(database, marked.slice(start, start + STEP));
  }
  await database
    .deleteFrom("incidents")
    .where("ended_at", "is not", null)
    .where("seq", "in", inNumbers(database, await pendingOf(database, "incident")))
    .execute();
  return unmarkErased(database);
}

async function unmarkErased(database: Database): Promise<number> {
  const entries = await database
    .deleteFrom("pending_erasures")
    .where("kind", "=", "entry")
    .where("target", "not in", (query) =>
      query
        .selectFrom("pending_erasures as marked")
        .innerJoin("log", "log.seq", "marked.target")
        .select("log.seq")
        .where("marked.kind", "=", "entry")
        .where("log.payload_json", "!=", "{}"),
    )
    .executeTakeFirst();
  const incidents = await database
    .deleteFrom("pending_erasures")
    .where("kind", "=", "incident")
    .where("target", "not in", (query) => query.selectFrom("incidents").select("seq"))
    .executeTakeFirst();
  return Number(entries.numDeletedRows + incidents.numDeletedRows);
}

async function pendingOf(database: Database, kind: PendingKind): Promise<readonly number[]> {
  const rows = await database
    .selectFrom("pending_erasures")
    .select("target")
    .where("kind", "=", kind)
    .execute();
  return rows.map(({ target }) => target);
}

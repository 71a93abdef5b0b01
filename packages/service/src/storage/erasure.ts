import type { Erasure } from "./storage.js";
import { atomically } from "./atomically.js";
import { type Database, overwriteLog } from "./database.js";
import { deleteDeliveries } from "./delete-deliveries.js";
import { inNumbers, inTexts } from "./lists.js";
import { createLedgerStore } from "./ledger-store.js";
import type { Subject } from "../model/subject.js";
import { eraseEnded, eraseLater } from "./pending-erasures.js";
import { advance } from "./revisions.js";

type Mentions = (text: string) => boolean;

/** Rows read at a time: delivery bodies are large. */
const PAGE = 10;

const EVENTS_PAGE = 500;

const ERASED = "[erased]";

/** Erases a subject in every spelling on record. Deliveries come last, in steps, so that nothing waits long. */
export async function eraseSubject(database: Database, subject: Subject): Promise<Erasure> {
  const subjects = await createLedgerStore(database).spellingsOf(subject);
  const patterns = subjects.map((one) => patternOf(one.subject));
  const mentions: Mentions = (text) => text !== withoutMentions(text, patterns);
  const { events, ...records } = await atomically(database, async (within) => {
    await eraseWindows(within, mentions);
    return {
      ...(await eraseRecord(within, subjects)),
      incidents: await eraseTexts(within, "incidents", mentions),
      responses: await eraseTexts(within, "responses", mentions),
      pending: (await markIncidents(within, patterns)) + (await markQueued(within, mentions)),
    };
  });
  const described = await eraseDescriptions(database, mentions);
  const { deliveries, marked } = await eraseDeliveries(database, mentions);
  await overwriteLog(database);
  const pending = records.pending + marked;
  return { ...records, events: events + described, deliveries, pending };
}

/** Erases rows that were still open at a previous erasure, and returns their number. */
export async function erasePending(database: Database): Promise<number> {
  const left = await database
    .selectFrom("pending_erasures")
    .select("seq")
    .limit(1)
    .executeTakeFirst();
  if (!left) return 0;
  const erased = await eraseEnded(database);
  if (erased > 0) await overwriteLog(database);
  return erased;
}

async function eraseRecord(
  database: Database,
  subjects: readonly Subject[],
): Promise<Pick<Erasure, "ledgerEntries" | "events">> {
  const { type } = subjects[0]!;
  const entries = await database
    .deleteFrom("ledger")
    .where("subject_type", "=", type)
    .where(
      "subject",
      "in",
      inTexts(
        database,
        subjects.map(({ subject }) => subject),
      ),
    )
    .returning(["application_id", "event_id"])
    .execute();
  const eventsOf = new Map<string, Set<string>>();
  for (const { application_id: id, event_id: event } of entries) {
    eventsOf.set(id, (eventsOf.get(id) ?? new Set()).add(event));
  }

  let events = 0;
  for (const [applicationId, ids] of eventsOf) {
    // The id remains, so that reporting the same event again does not restore it.
    const { numUpdatedRows } = await database
      .updateTable("events")
      .set({ payload_json: "{}" })
      .where("application_id", "=", applicationId)
      .where("id", "in", inTexts(database, [...ids]))
      .executeTakeFirst();
    events += Number(numUpdatedRows);
    if (type !== "ip") continue;
    // The same events were counted for the network of the address.
    await database
      .deleteFrom("ledger")
      .where("subject_type", "=", "net")
      .where("application_id", "=", applicationId)
      .where("event_id", "in", inTexts(database, [...ids]))
      .execute();
  }
  return { ledgerEntries: entries.length, events };
}

async function eraseTexts(
  database: Database,
  table: "incidents" | "responses",
  mentions: Mentions,
): Promise<number> {
  const rows =
    table === "responses"
      ? await database.selectFrom(table).select(["seq", "payload_json as text"]).execute()
      : await database
          .selectFrom(table)
          .select(["seq", "payload_json as text", "state_json as more", "subject"])
          .where("ended_at", "is not", null)
          .execute();
  const found = rows.filter((row) => mentions(Object.values(row).join("\n")));
  const seqs = found.map(({ seq }) => seq);
  await database.deleteFrom(table).where("seq", "in", inNumbers(database, seqs)).execute();
  return found.length;
}

async function markIncidents(database: Database, patterns: readonly RegExp[]): Promise<number> {
  const rows = await database
    .selectFrom("incidents")
    .select(["seq", "subject", "payload_json", "state_json"])
    .where("ended_at", "is", null)
    .execute();
  const seqs: number[] = [];
  for (const { seq, ...texts } of rows) {
    const subject = withoutMentions(texts.subject, patterns);
    const payload_json = withoutMentions(texts.payload_json, patterns);
    const state_json = withoutMentions(texts.state_json, patterns);
    const clean = { subject, payload_json, state_json };
    if (JSON.stringify(clean) === JSON.stringify(texts)) continue;
    await database.updateTable("incidents").set(clean).where("seq", "=", seq).execute();
    seqs.push(seq);
  }
  return eraseLater(database, "incident", seqs);
}

async function markQueued(database: Database, mentions: Mentions): Promise<number> {
  const rows = await database.selectFrom("outbox").select(["seq", "payload_json"]).execute();
  const found = rows.filter(({ payload_json: text }) => mentions(text));
  const seqs = found.map(({ seq }) => seq);
  return eraseLater(database, "outbox", seqs);
}

/** Deletes every window that mentions the subject, and makes all processes do the same. */
async function eraseWindows(database: Database, mentions: Mentions): Promise<void> {
  for (let last = 0; ;) {
    const rows = await database
      .selectFrom("windows")
      .select(["seq", "key_json", "value_json"])
      .where("seq", ">", last)
      .orderBy("seq")
      .limit(EVENTS_PAGE)
      .execute();
    const found = rows.filter((row) => mentions(row.key_json) || mentions(row.value_json));
    const seqs = found.map(({ seq }) => seq);
    await database.deleteFrom("windows").where("seq", "in", inNumbers(database, seqs)).execute();
    if (rows.length < EVENTS_PAGE) break;
    last = rows.at(-1)!.seq;
  }
  await advance(database, "erasures");
}

/** Empties other subjects' events that mention the subject, in steps, so that nothing waits long. */
async function eraseDescriptions(database: Database, mentions: Mentions): Promise<number> {
  let erased = 0;
  for (let last = 0; ;) {
    const rows = await database
      .selectFrom("events")
      .select(["seq", "payload_json"])
      .where("seq", ">", last)
      .orderBy("seq")
      .limit(EVENTS_PAGE)
      .execute();
    const seqs = rows.filter(({ payload_json: text }) => mentions(text)).map(({ seq }) => seq);
    if (seqs.length > 0) {
      await database
        .updateTable("events")
        .set({ payload_json: "{}" })
        .where("seq", "in", inNumbers(database, seqs))
        .execute();
    }
    erased += seqs.length;
    if (rows.length < EVENTS_PAGE) return erased;
    last = rows.at(-1)!.seq;
  }
}

/** Erases finished deliveries that mention the subject, and marks pending ones for erasure. */
async function eraseDeliveries(
  database: Database,
  mentions: Mentions,
): Promise<{ readonly deliveries: number; readonly marked: number }> {
  let deliveries = 0;
  let marked = 0;
  for (let last = 0; ;) {
    const rows = await database
      .selectFrom("deliveries")
      .innerJoin("bodies", "bodies.seq", "deliveries.seq")
      .select(["deliveries.seq", "deliveries.state", "bodies.body"])
      .where("deliveries.seq", ">", last)
      .orderBy("deliveries.seq")
      .limit(PAGE)
      .execute();
    const found = rows.filter(({ body }) => mentions(textOf(body)));
    const pending = found.filter(({ state }) => state === "pending").map(({ seq }) => seq);
    const ended = found.filter(({ state }) => state !== "pending").map(({ seq }) => seq);
    if (ended.length > 0) await deleteDeliveries(database, ended);
    marked += await eraseLater(database, "delivery", pending);
    deliveries += ended.length;
    if (rows.length < PAGE) return { deliveries, marked };
    last = rows.at(-1)!.seq;
  }
}

function textOf(body: ArrayBuffer | Uint8Array): string {
  return Buffer.from(body as Uint8Array).toString("utf8");
}

function withoutMentions(text: string, patterns: readonly RegExp[]): string {
  return patterns.reduce((left, pattern) => left.replace(pattern, ERASED), text);
}

/**
 * Returns a pattern that finds a subject in JSON or in a sentence: `1.2.3.4` occurs in
 * "from 1.2.3.4." but not in "11.2.3.45".
 */
export function patternOf(subject: string): RegExp {
  const written = JSON.stringify(subject).slice(1, -1);
  const literal = written.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return new RegExp(`(?<![\\w.:@+-])${literal}(?!\\w|[.:@+-]\\w)`, "gi");
}

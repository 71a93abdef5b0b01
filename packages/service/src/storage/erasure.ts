import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { inList } from "./lists.js";
import { createLedgerStore, type Subject } from "./ledger-store.js";

/** How many entries an erasure removed. */
export interface Erasure {
  readonly ledgerEntries: number;
  readonly events: number;
  readonly incidents: number;
  readonly responses: number;
  readonly deliveries: number;
}

type Mentions = (text: string) => boolean;

/** Rows read at a time: bodies of deliveries are large. */
const PAGE = 10;

/** Forget a subject in every spelling on record. The deliveries come last, in steps, so that nothing waits long. */
export async function eraseSubject(database: Database, subject: Subject): Promise<Erasure> {
  const subjects = await createLedgerStore(database).spellingsOf(subject);
  const tests = subjects.map((one) => mentionOf(one.subject));
  const mentions: Mentions = (text) => tests.some((test) => test(text));
  const records = await atomically(database, async (within) => ({
    ...(await eraseRecord(within, subjects)),
    incidents: await eraseTexts(within, "incidents", mentions),
    responses: await eraseTexts(within, "responses", mentions),
  }));
  return { ...records, deliveries: await eraseDeliveries(database, mentions) };
}

async function eraseRecord(
  database: Database,
  subjects: readonly Subject[],
): Promise<Pick<Erasure, "ledgerEntries" | "events">> {
  const { type } = subjects[0]!;
  const entries = await database
    .deleteFrom("ledger")
    .where("subject_type", "=", type)
    .where("subject", "in", inList(subjects.map(({ subject }) => subject)))
    .returning(["application_id", "event_id"])
    .execute();
  const eventsOf = new Map<string, Set<string>>();
  for (const { application_id: id, event_id: event } of entries) {
    eventsOf.set(id, (eventsOf.get(id) ?? new Set()).add(event));
  }

  let events = 0;
  for (const [applicationId, ids] of eventsOf) {
    // The id stays, so that the same event reported again does not come back.
    const { numUpdatedRows } = await database
      .updateTable("events")
      .set({ payload_json: "{}" })
      .where("application_id", "=", applicationId)
      .where("id", "in", inList([...ids]))
      .executeTakeFirst();
    events += Number(numUpdatedRows);
    if (type !== "ip") continue;
    // The network of the address was counted for the address.
    await database
      .deleteFrom("ledger")
      .where("subject_type", "=", "net")
      .where("application_id", "=", applicationId)
      .where("event_id", "in", inList([...ids]))
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
  await database.deleteFrom(table).where("seq", "in", inList(seqs)).execute();
  return found.length;
}

async function eraseDeliveries(database: Database, mentions: Mentions): Promise<number> {
  let erased = 0;
  for (let last = 0; ;) {
    const rows = await database
      .selectFrom("deliveries")
      .innerJoin("bodies", "bodies.seq", "deliveries.seq")
      .select(["deliveries.seq", "bodies.body"])
      .where("state", "!=", "pending")
      .where("deliveries.seq", ">", last)
      .orderBy("deliveries.seq")
      .limit(PAGE)
      .execute();
    const seqs = rows.filter(({ body }) => mentions(textOf(body))).map(({ seq }) => seq);
    if (seqs.length > 0) await deleteDeliveries(database, seqs);
    erased += seqs.length;
    if (rows.length < PAGE) return erased;
    last = rows.at(-1)!.seq;
  }
}

/** Remove deliveries with their bodies and attempts. */
export function deleteDeliveries(database: Database, seqs: readonly number[]): Promise<void> {
  return atomically(database, async (within) => {
    await within.deleteFrom("attempts").where("delivery_seq", "in", seqs).execute();
    await within.deleteFrom("bodies").where("seq", "in", seqs).execute();
    await within.deleteFrom("deliveries").where("seq", "in", seqs).execute();
  });
}

function textOf(body: ArrayBuffer | Uint8Array): string {
  return Buffer.from(body as Uint8Array).toString("utf8");
}

/**
 * Make a test for texts that mention a subject, as JSON or in a sentence: `1.2.3.4` is in
 * "from 1.2.3.4." and not in "11.2.3.45".
 */
export function mentionOf(subject: string): (text: string) => boolean {
  const written = JSON.stringify(subject).slice(1, -1);
  const literal = written.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const mention = new RegExp(`(?<![\\w.:@+-])${literal}(?!\\w|[.:@+-]\\w)`, "i");
  return (text) => mention.test(text);
}

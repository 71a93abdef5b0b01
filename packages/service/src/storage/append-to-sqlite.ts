import { sql } from "kysely";
import { atomically } from "./atomically.js";
import { type Database, storedText } from "./database.js";
import type { Appended, AppendedRow, AppendHow } from "./dialect.js";
import { inTexts } from "./lists.js";

/** SQLite has no sequences; its only connection orders the transactions. */
export function appendToSqlite(
  database: Database,
  rows: readonly AppendedRow[],
  applications: readonly string[],
  { now }: AppendHow,
): Promise<Appended> {
  return atomically(database, async (within) => {
    const heads = await within
      .selectFrom("heads")
      .select("application_id")
      .where("application_id", "in", inTexts(within, applications))
      .execute();
    const known = new Set(heads.map((head) => head.application_id));
    const last = await sql<{ seq: number }>`
      select coalesce(max(seq), 0) as seq from sqlite_sequence where name = 'log'
    `.execute(within);
    let next = last.rows[0]!.seq;
    const numbered = rows.map((row) => ({ row, seq: ++next }));
    const added = numbered.filter(({ row }) => known.has(row.applicationId));
    const ids = added
      .filter(({ row }) => row.eventId !== null)
      .map(({ row, seq }) => [row.applicationId, storedText(row.eventId!), seq]);
    const { rows: fresh } = await sql<{ seq: number }>`
      insert into event_ids (application_id, event_id, log_seq)
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(ids)}) where true
      on conflict do nothing
      returning log_seq as seq
    `.execute(within);
    const isFresh = new Set(fresh.map(({ seq }) => seq));
    const stored = added.filter(({ row, seq }) => row.eventId === null || isFresh.has(seq));
    // A payload is given as text in JSON, which keeps its bytes.
    const cells = stored.map(({ row, seq }) => [
      seq,
      row.applicationId,
      row.type,
      row.eventId && storedText(row.eventId),
      storedText(row.kind),
      storedText(row.category),
      row.occurredAt,
      now,
      Number(row.highRisk),
      row.cause,
      row.payload,
    ]);
    await sql`
      insert into log (
        seq, application_id, type, event_id, kind, category, occurred_at, received_at, high_risk,
        cause, payload_json
      )
      select
        value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
        value ->> 7, value ->> 8, value ->> 9, value ->> 10
      from json_each(${JSON.stringify(cells)})
    `.execute(within);
    const kept = new Set(stored.map(({ seq }) => seq));
    return { seqs: numbered.map(({ seq }) => (kept.has(seq) ? seq : undefined)), known };
  });
}

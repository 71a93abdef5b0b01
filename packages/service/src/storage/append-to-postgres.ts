import { sql } from "kysely";
import { type Database, storedText } from "./database.js";
import type { Appended, AppendedRow, AppendHow } from "./dialect.js";

/** One statement, so that it is one round trip and no lock outlives a process that stops answering. */
export async function appendToPostgres(
  database: Database,
  rows: readonly AppendedRow[],
  applications: readonly string[],
  { now, holdsHeads }: AppendHow,
): Promise<Appended> {
  // One value for all rows, because the driver escapes lists of texts piece by piece. A payload is a
  // text in it, which keeps its bytes.
  const cells = JSON.stringify(
    rows.map((row) => [
      row.applicationId,
      row.type,
      row.eventId && storedText(row.eventId),
      storedText(row.kind),
      storedText(row.category),
      row.occurredAt,
      Number(row.highRisk),
      row.cause,
      row.payload,
    ]),
  );
  const { rows: stored } = await sql<{ ord: number | null; seq: number | null; id: string }>`
    with locked as materialized (
      select application_id from heads
      where application_id = any(${applications}::text[])
      order by application_id ${holdsHeads ? sql`for no key update` : sql``}
    ), added as materialized (
      select nextval('log_seq_seq') as seq, given.* from (
        select
          ord, value ->> 0 as application_id, value ->> 1 as type, value ->> 2 as event_id,
          value ->> 3 as kind, value ->> 4 as category, cast(value ->> 5 as bigint) as occurred_at,
          cast(value ->> 6 as bigint) as high_risk, cast(value ->> 7 as bigint) as cause,
          value ->> 8 as payload
        from jsonb_array_elements(${cells}::jsonb) with ordinality as cells (value, ord)
          join locked on locked.application_id = value ->> 0
        order by ord
      ) as given
    ), fresh as (
      insert into event_ids (application_id, event_id, log_seq)
      select application_id, event_id, seq from added where event_id is not null
      on conflict do nothing
      returning log_seq
    ), stored as (
      insert into log (
        seq, application_id, type, event_id, kind, category, occurred_at, received_at, high_risk,
        cause, payload_json
      )
      select
        seq, application_id, type, event_id, kind, category, occurred_at, ${now}::bigint, high_risk,
        cause, payload
      from added where event_id is null or seq in (select log_seq from fresh)
      returning seq
    )
    select added.ord, stored.seq, locked.application_id as id
    from locked left join added using (application_id) left join stored on stored.seq = added.seq
  `.execute(database);
  const seqs: (number | undefined)[] = rows.map(() => undefined);
  for (const { ord, seq } of stored) if (ord !== null && seq !== null) seqs[ord - 1] = seq;
  return { seqs, known: new Set(stored.map(({ id }) => id)) };
}

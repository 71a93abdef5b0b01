import type { Outbox } from "./delivery-store.js";
import type { OutgoingPayload, OutboxEntry, OutboxBacklog } from "../model/delivery.js";
import { type AliasedRawBuilder, sql } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import type { Clock, Instant } from "../model/instant.js";
import { inNumbers, rowsOf } from "./lists.js";

export function createOutbox(database: Database, clock: Clock): Outbox {
  return {
    async add(applicationId, payloads) {
      await (isPostgres(database) ? insertTexts : insertCells)(database, {
        applicationId,
        payloads,
        now: clock(),
      });
    },
    async take(applicationId, limit) {
      const rows = await database
        .selectFrom("outbox")
        .select(["seq", "payload_type", "payload_json", "queued_at"])
        .select(kindColumn(database))
        .where("application_id", "=", applicationId)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map((row): OutboxEntry => {
        const kind = isPostgres(database) ? kindIn(row.payload_json) : row.kind;
        return {
          seq: row.seq,
          type: row.payload_type,
          kind: typeof kind === "string" ? kind : undefined,
          payload: row.payload_json,
          isDamaged: kind === DAMAGED,
          queuedAt: row.queued_at,
        };
      });
    },
    remove: (seqs) => atomically(database, (within) => removeFromOutbox(within, seqs)),
    async backlog() {
      // The index alone yields the counts; the oldest entry is the one with the lowest `seq`.
      const { rows } = await sql<OutboxBacklog>`
        select
          waiting.application_id as "applicationId", waiting.count, queued_at as "oldestQueuedAt"
        from (
          select application_id, count(*) as count, min(seq) as oldest
          from outbox group by application_id
        ) as waiting cross join outbox where outbox.seq = waiting.oldest
      `.execute(database);
      return rows;
    },
  };
}

export async function removeFromOutbox(database: Database, seqs: readonly number[]): Promise<void> {
  await database.deleteFrom("outbox").where("seq", "in", inNumbers(database, seqs)).execute();
}

interface Added {
  readonly applicationId: string;
  readonly payloads: readonly OutgoingPayload[];
  readonly now: Instant;
}

/** Inserts all rows as one JSON text, from which SQLite extracts each payload unchanged. */
async function insertCells(
  database: Database,
  { applicationId, payloads, now }: Added,
): Promise<void> {
  const rows = payloads.map(({ type, payload }) => [type, payload]);
  await sql`
    insert into outbox (application_id, payload_type, payload_json, queued_at)
    select ${applicationId}, value ->> 0, value -> 1, ${now} from ${rowsOf(database, rows)}
  `.execute(database);
}

/** Inserts rows as separate texts: PostgreSQL cannot extract a payload with an escaped NUL from JSON. */
async function insertTexts(
  database: Database,
  { applicationId, payloads, now }: Added,
): Promise<void> {
  const types = payloads.map(({ type }) => type);
  const texts = payloads.map(({ payload }) => JSON.stringify(payload));
  await sql`
    insert into outbox (application_id, payload_type, payload_json, queued_at)
    select ${applicationId}::text, type, payload, ${now}::bigint
    from unnest(${types}::text[], ${texts}::text[]) as added (type, payload)
  `.execute(database);
}

/** Stands for the kind of a payload that is not JSON. */
const DAMAGED = 0;

/**
 * Selects the kind or genre of a payload, so that payloads need not be parsed for sorting; `DAMAGED`
 * if the payload is not JSON. On PostgreSQL it selects the whole text, for the same reason as above.
 */
function kindColumn(database: Database): AliasedRawBuilder<unknown, "kind"> {
  if (isPostgres(database)) return sql`null`.as("kind");
  return sql`iif(
    json_valid(payload_json),
    coalesce(payload_json ->> 'event_kind', payload_json ->> 'pulse_genre'),
    0
  )`.as("kind");
}

function kindIn(payload: string): unknown {
  try {
    const { event_kind: kind, pulse_genre: genre } = JSON.parse(payload) as Record<string, unknown>;
    return kind ?? genre;
  } catch {
    return DAMAGED;
  }
}

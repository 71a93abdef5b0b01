import type { PayloadType } from "@riskgate/core";
import { sql } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Clock, Instant } from "./instant.js";
import { inList } from "./lists.js";

/** A payload to be delivered. */
export interface OutgoingPayload {
  readonly type: PayloadType;
  /** The kind of a security event, the genre of an incident. */
  readonly kind?: string | undefined;
  /** As it is sent: its JSON text is stored, and joined with others to the body of a delivery. */
  readonly payload: object;
}

/** A payload that waits for its delivery. */
export interface OutboxEntry {
  /** Position in the queue, over all applications. */
  readonly seq: number;
  readonly type: PayloadType;
  /** The kind of a security event, the genre of an incident. */
  readonly kind: string | undefined;
  /** JSON text of the payload. */
  readonly payload: string;
  /** The text in the database is not JSON any more. */
  readonly isDamaged: boolean;
  readonly queuedAt: Instant;
}

/** Payloads of one application that wait. */
export interface OutboxBacklog {
  readonly applicationId: string;
  readonly count: number;
  readonly oldestQueuedAt: Instant;
}

/** Payloads that are accepted and not yet in a delivery. */
export interface Outbox {
  add(applicationId: string, payloads: readonly OutgoingPayload[]): Promise<void>;
  /** The oldest ones, in order. They stay until `deliveries.create` or `remove` takes them out. */
  take(applicationId: string, limit: number): Promise<readonly OutboxEntry[]>;
  remove(seqs: readonly number[]): Promise<void>;
  /** Applications with something waiting. */
  backlog(): Promise<readonly OutboxBacklog[]>;
}

/** Creates the outbox in a database. */
export function createOutbox(database: Database, clock: Clock): Outbox {
  return {
    async add(applicationId, payloads) {
      const rows = payloads.map(({ type, payload }) => [type, payload]);
      // One text for all rows, of which SQLite cuts out each payload as it is.
      await sql`
        insert into outbox (application_id, payload_type, payload_json, queued_at)
        select ${applicationId}, value ->> 0, value -> 1, ${clock()}
        from json_each(${JSON.stringify(rows)})
      `.execute(database);
    },
    async take(applicationId, limit) {
      const isJson = sql<number>`json_valid(payload_json)`;
      const rows = await database
        .selectFrom("outbox")
        .select(["seq", "payload_type", "payload_json", "queued_at"])
        // Read by SQLite, so that the payloads need not be parsed to be sorted.
        .select(isJson.as("is_json"))
        .select(
          sql`iif(
            ${isJson}, coalesce(payload_json ->> 'event_kind', payload_json ->> 'pulse_genre'), null
          )`.as("kind"),
        )
        .where("application_id", "=", applicationId)
        .orderBy("seq")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        seq: row.seq,
        type: row.payload_type,
        kind: typeof row.kind === "string" ? row.kind : undefined,
        payload: row.payload_json,
        isDamaged: row.is_json === 0,
        queuedAt: row.queued_at,
      }));
    },
    remove: (seqs) => atomically(database, (within) => removeFromOutbox(within, seqs)),
    async backlog() {
      // The counts come from the index alone; the oldest is the one with the lowest number.
      const { rows } = await sql<OutboxBacklog>`
        select waiting.application_id as applicationId, waiting.count, queued_at as oldestQueuedAt
        from (
          select application_id, count(*) as count, min(seq) as oldest
          from outbox group by application_id
        ) as waiting cross join outbox on outbox.seq = waiting.oldest
      `.execute(database);
      return rows;
    },
  };
}

/** Take entries out of the outbox. */
export async function removeFromOutbox(database: Database, seqs: readonly number[]): Promise<void> {
  await database.deleteFrom("outbox").where("seq", "in", inList(seqs)).execute();
}

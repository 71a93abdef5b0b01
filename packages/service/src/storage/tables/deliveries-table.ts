import { sql } from "kysely";
import { atomically } from "../atomically.js";
import type { Database } from "../database.js";
import {
  type Deliveries,
  DELIVERY_STATES,
  type DeliveryState,
  type StoredDelivery,
} from "../deliveries.js";
import type { Clock } from "../instant.js";
import type { Leases } from "../leases.js";
import { randomId } from "../random-id.js";
import { createAttemptsTable } from "./attempts-table.js";
import { readBody } from "./bodies.js";
import { createClaims } from "./claims.js";
import { COLUMNS, deliveryOf } from "./delivery-row.js";
import { removeFromOutbox } from "./outbox-table.js";

/** Deliveries in the database. */
export function createDeliveriesTable(
  database: Database,
  clock: Clock,
  leases: Leases,
): Deliveries {
  return {
    ...createAttemptsTable(database, leases),
    ...createClaims(database, clock, leases),

    create: (applicationId, deliveries) =>
      atomically(database, async (within) => {
        const now = clock();
        const created: StoredDelivery[] = [];
        for (const { body, seqs } of deliveries) {
          const id = randomId();
          // As text: with many small deliveries, building the statements would take most of the time.
          const { rows } = await sql<{ seq: number }>`
            insert into deliveries (
              id, application_id, body_bytes, payload_count, created_at, state, attempts, next_attempt_at
            ) values (
              ${id}, ${applicationId}, ${body.length}, ${seqs.length}, ${now}, 'pending', 0, ${now}
            ) returning seq
          `.execute(within);
          await sql`insert into bodies (delivery_id, body) values (${id}, ${body})`.execute(within);
          created.push({
            id,
            applicationId,
            seq: rows[0]!.seq,
            payloadCount: seqs.length,
            bodyBytes: body.length,
            createdAt: now,
            state: "pending",
            attempts: 0,
            nextAttemptAt: now,
            lastStatus: null,
            lastError: null,
          });
        }
        await removeFromOutbox(
          within,
          deliveries.flatMap(({ seqs }) => seqs),
        );
        for (const [index, { id }] of created.entries()) {
          leases.bodies.add(id, deliveries[index]!.body);
        }
        return created;
      }),

    async list({ applicationId, state, limit = 100, beforeSeq } = {}) {
      const rows = await database
        .selectFrom("deliveries")
        .select(COLUMNS)
        .$if(applicationId !== undefined, (query) =>
          query.where("application_id", "=", applicationId!),
        )
        .$if(state !== undefined, (query) => query.where("state", "=", state!))
        .$if(beforeSeq !== undefined, (query) => query.where("seq", "<", beforeSeq!))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map(deliveryOf);
    },

    async get(id) {
      const row = await database
        .selectFrom("deliveries")
        .select(COLUMNS)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && deliveryOf(row);
    },

    bodyOf: (id) => readBody(database, id),

    async retry(id) {
      const row = await database
        .updateTable("deliveries")
        .set({ state: "pending", attempts: 0, next_attempt_at: clock() })
        .where("id", "=", id)
        .where("state", "!=", "pending")
        .returning(COLUMNS)
        .executeTakeFirst();
      return row && deliveryOf(row);
    },

    async cancel(applicationId) {
      const cancelled = await cancelDeliveries(database, applicationId);
      leases.outdate();
      return cancelled;
    },

    async counts() {
      const rows = await database
        .selectFrom("deliveries")
        .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
        .groupBy("state")
        .execute();
      const counts = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0]));
      for (const { state, count } of rows) counts[state] = count;
      return counts as Record<DeliveryState, number>;
    },
  };
}

/** Cancel what is pending; how much that was. */
export async function cancelDeliveries(database: Database, applicationId: string): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable("deliveries")
    .set({ state: "cancelled", next_attempt_at: null })
    .where("application_id", "=", applicationId)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

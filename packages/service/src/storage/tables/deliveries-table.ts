import type { Selectable } from "kysely";
import { atomically } from "../atomically.js";
import type { Database } from "../database.js";
import {
  type ClaimedDelivery,
  type Deliveries,
  DELIVERY_STATES,
  type DeliveryState,
  type StoredDelivery,
} from "../deliveries.js";
import type { Clock } from "../instant.js";
import { randomId } from "../random-id.js";
import type { DeliveryRow } from "../schema.js";
import { createAttemptsTable } from "./attempts-table.js";
import { removeFromOutbox } from "./outbox-table.js";

const COLUMNS = [
  "id",
  "application_id",
  "seq",
  "payload_count",
  "body_bytes",
  "created_at",
  "state",
  "attempts",
  "next_attempt_at",
  "last_status",
  "last_error",
] as const;

/** Deliveries in the database. */
export function createDeliveriesTable(database: Database, clock: Clock): Deliveries {
  return {
    ...createAttemptsTable(database),

    create: (applicationId, deliveries) =>
      atomically(database, async (within) => {
        const now = clock();
        const created: StoredDelivery[] = [];
        for (const { body, seqs } of deliveries) {
          const row = await within
            .insertInto("deliveries")
            .values({
              id: randomId(),
              application_id: applicationId,
              body_bytes: body.length,
              payload_count: seqs.length,
              created_at: now,
              state: "pending",
              attempts: 0,
              next_attempt_at: now,
            })
            .returning(COLUMNS)
            .executeTakeFirstOrThrow();
          await within.insertInto("bodies").values({ delivery_id: row.id, body }).execute();
          await removeFromOutbox(within, seqs);
          created.push(deliveryOf(row));
        }
        return created;
      }),

    claim: (applicationId, { limit, now, leasedUntil }) =>
      atomically(database, async (within) => {
        const due = await within
          .selectFrom("deliveries")
          .select("seq")
          .where("application_id", "=", applicationId)
          .where("state", "=", "pending")
          .where("next_attempt_at", "<=", now)
          .where((where) =>
            where.or([where("leased_until", "is", null), where("leased_until", "<=", now)]),
          )
          .orderBy("seq")
          .limit(limit)
          .execute();
        if (due.length === 0) return [];
        const rows = await within
          .updateTable("deliveries")
          .set({ leased_until: leasedUntil })
          .where(
            "seq",
            "in",
            due.map(({ seq }) => seq),
          )
          .returning(COLUMNS)
          .execute();
        const claimed: ClaimedDelivery[] = [];
        // An update answers in no particular order.
        for (const row of rows.toSorted((one, other) => one.seq - other.seq)) {
          claimed.push({ ...deliveryOf(row), body: (await readBody(within, row.id))! });
        }
        return claimed;
      }),

    async release(id) {
      await database
        .updateTable("deliveries")
        .set({ leased_until: null })
        .where("id", "=", id)
        .execute();
    },

    async schedule() {
      const rows = await database
        .selectFrom("deliveries")
        .select(({ fn }) => ["application_id", fn.min("next_attempt_at").as("next_attempt_at")])
        .where("state", "=", "pending")
        .where((where) =>
          where.or([where("leased_until", "is", null), where("leased_until", "<=", clock())]),
        )
        .groupBy("application_id")
        .execute();
      return rows.map((row) => ({
        applicationId: row.application_id,
        nextAttemptAt: row.next_attempt_at!,
      }));
    },

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
        .set({ state: "pending", attempts: 0, next_attempt_at: clock(), leased_until: null })
        .where("id", "=", id)
        .where("state", "!=", "pending")
        .returning(COLUMNS)
        .executeTakeFirst();
      return row && deliveryOf(row);
    },

    cancel: (applicationId) => cancelDeliveries(database, applicationId),

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
    .set({ state: "cancelled", next_attempt_at: null, leased_until: null })
    .where("application_id", "=", applicationId)
    .where("state", "=", "pending")
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

type ListedRow = Pick<Selectable<DeliveryRow>, (typeof COLUMNS)[number]>;

function deliveryOf(row: ListedRow): StoredDelivery {
  return {
    id: row.id,
    applicationId: row.application_id,
    seq: row.seq,
    payloadCount: row.payload_count,
    bodyBytes: row.body_bytes,
    createdAt: row.created_at,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}

async function readBody(database: Database, id: string): Promise<Uint8Array | undefined> {
  const row = await database
    .selectFrom("bodies")
    .select("body")
    .where("delivery_id", "=", id)
    .executeTakeFirst();
  return row && (row.body instanceof Uint8Array ? row.body : new Uint8Array(row.body));
}

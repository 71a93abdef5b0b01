import type { NewDelivery } from "../model/delivery.js";
import type { Instant } from "../model/instant.js";
import { type Selectable, sql } from "kysely";
import { atomically } from "./atomically.js";
import { bodyOf } from "../model/delivery-body.js";
import type { Database } from "./database.js";
import type { Deliveries, Outbox, RetriedPage, RetryFilter } from "./delivery-store.js";
import { inNumbers } from "./lists.js";
import type { DeliveryState, StoredDelivery, UnfinishedDeliveries } from "../model/delivery.js";
import type { Clock } from "../model/instant.js";
import type { Leases } from "./leases.js";
import { randomId } from "../model/random-id.js";
import { createAttempts } from "./attempts-table.js";
import { createClaims } from "./claims-table.js";
import { advance } from "./revisions.js";
import type { DeliveryRow } from "./schema.js";

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

const RETRIED_AT_ONCE = 1_000;

type ListedRow = Pick<Selectable<DeliveryRow>, (typeof COLUMNS)[number]>;

export function createDeliveries(
  database: Database,
  clock: Clock,
  leases: Leases,
  outbox: Pick<Outbox, "bodyOf">,
): Deliveries {
  return {
    ...createAttempts(database, leases),
    ...createClaims(database, leases),

    async create(applicationId, deliveries) {
      const created = await atomically(database, (within) =>
        insertDeliveries(within, applicationId, deliveries, clock()),
      );
      for (const [index, { seq }] of created.entries()) {
        leases.bodies.add(seq, deliveries[index]!.body);
      }
      return created;
    },

    async list({ applicationId, state, since, until, limit = 100, beforeSeq } = {}) {
      const rows = await matching(database, applicationId, state)
        .select(COLUMNS)
        .$if(since !== undefined, (query) => query.where("created_at", ">=", since!))
        .$if(until !== undefined, (query) => query.where("created_at", "<=", until!))
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

    bodyToSend: async ({ seq }) =>
      leases.bodies.take(seq) ?? readBody(database, outbox, "seq", seq),

    bodyOf: (id) => readBody(database, outbox, "id", id),

    async retry(id) {
      const row = await dueNow(database, clock())
        .where("id", "=", id)
        .returning(COLUMNS)
        .executeTakeFirst();
      return row && deliveryOf(row);
    },

    retryAll: (filter) => retryAll(database, filter, clock()),

    async cancel(applicationId) {
      const cancelled = await atomically(database, async (within) => {
        await advance(within, "settings");
        return cancelDeliveries(within, applicationId);
      });
      leases.outdate();
      return cancelled;
    },

    counts: () => countByState(database),
    unfinished: () => countUnfinished(database),
  };
}

/** Composes the body of a delivery; undefined if some of its payloads no longer exist. */
async function readBody(
  database: Database,
  outbox: Pick<Outbox, "bodyOf">,
  column: "seq" | "id",
  value: string | number,
): Promise<Uint8Array | undefined> {
  const row = await database
    .selectFrom("deliveries")
    .select(["application_id", "payload_count", "first_seq", "last_seq", "without_json"])
    .where(column, "=", value as never)
    .executeTakeFirst();
  if (!row) return undefined;
  const elements = await outbox.bodyOf({
    applicationId: row.application_id,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
    without: row.without_json === null ? [] : (JSON.parse(row.without_json) as number[]),
  });
  const isWhole = elements.length === row.payload_count && !elements.some((one) => one.isDamaged);
  return isWhole ? bodyOf({ elements }) : undefined;
}

/** Selects the deliveries of an application, in a state, or both. */
function matching(
  database: Database,
  applicationId: string | undefined,
  state: DeliveryState | undefined,
) {
  return (
    database
      .selectFrom("deliveries")
      .$if(applicationId !== undefined, (query) =>
        query.where("application_id", "=", applicationId!),
      )
      // As literal text: with a parameter, the planner would not use the partial indexes.
      .$if(state !== undefined, (query) => query.where("state", "=", sql.lit(state!)))
  );
}

/** Updates deliveries so that they are sent now, except finished ones that will be erased. */
function dueNow(database: Database, now: Instant) {
  return database
    .updateTable("deliveries")
    .set(({ eb }) => ({
      state: "pending",
      // A delivery that is waiting for its next attempt keeps its count.
      attempts: eb.case().when("state", "=", "pending").then(eb.ref("attempts")).else(0).end(),
      next_attempt_at: now,
    }))
    .where((where) =>
      where.or([
        where("state", "=", "pending"),
        where.not(
          where.exists(
            where
              .selectFrom("pending_erasures")
              .innerJoin("log", "log.seq", "pending_erasures.target")
              .select("log.seq")
              .where("pending_erasures.kind", "=", "entry")
              .whereRef("log.application_id", "=", "deliveries.application_id")
              .whereRef("log.seq", ">=", "deliveries.first_seq")
              .whereRef("log.seq", "<=", "deliveries.last_seq"),
          ),
        ),
      ]),
    );
}

/** In a transaction, so that no process sends or retries the same deliveries at the same time. */
function retryAll(database: Database, filter: RetryFilter, now: Instant): Promise<RetriedPage> {
  const { state, applicationId, createdSince, createdBefore, afterSeq } = filter;
  const retry = async (within: Database): Promise<RetriedPage> => {
    const receiving = within
      .selectFrom("applications")
      .select("id")
      .where("disabled_at", "is", null)
      .where("webhook_url", "is not", null);
    const rows = await matching(within, applicationId, state)
      .select("seq")
      .where("seq", ">", afterSeq)
      .where("created_at", ">=", createdSince)
      .where("created_at", "<", createdBefore)
      .where("application_id", "in", receiving)
      .orderBy("seq")
      .limit(RETRIED_AT_ONCE)
      .execute();
    const seqs = rows.map(({ seq }) => seq);
    const { numUpdatedRows } = await dueNow(within, now)
      .where("seq", "in", inNumbers(within, seqs))
      .executeTakeFirst();
    const nextAfterSeq = seqs.length < RETRIED_AT_ONCE ? null : seqs.at(-1)!;
    return { retried: Number(numUpdatedRows), nextAfterSeq };
  };
  return atomically(database, retry);
}

async function insertDeliveries(
  database: Database,
  applicationId: string,
  deliveries: readonly NewDelivery[],
  now: Instant,
): Promise<readonly StoredDelivery[]> {
  const created: StoredDelivery[] = [];
  for (const one of deliveries) {
    created.push(await insertDelivery(database, applicationId, one, now));
  }
  return created;
}

async function insertDelivery(
  database: Database,
  applicationId: string,
  { body, seqs, without = [] }: NewDelivery,
  now: Instant,
): Promise<StoredDelivery> {
  const id = randomId();
  const payloadCount = seqs.length;
  const bodyBytes = body.length;
  // Raw SQL: with many small deliveries, building the statements would take most of the time.
  const { rows } = await sql<{ seq: number }>`
    insert into deliveries (
      id, application_id, body_bytes, payload_count, created_at, state, attempts, next_attempt_at,
      first_seq, last_seq, without_json
    ) values (
      ${id}, ${applicationId}, ${bodyBytes}, ${payloadCount}, ${now}, 'pending', 0, ${now},
      ${seqs[0] ?? null}, ${seqs.at(-1) ?? null},
      ${without.length > 0 ? JSON.stringify(without) : null}
    ) returning seq
  `.execute(database);
  const { seq } = rows[0]!;
  const pending = { state: "pending", attempts: 0, nextAttemptAt: now } as const;
  const unsent = { ...pending, lastStatus: null, lastError: null };
  return { id, applicationId, seq, payloadCount, bodyBytes, createdAt: now, ...unsent };
}

async function countByState(database: Database): Promise<Readonly<Record<DeliveryState, number>>> {
  // Delivered ones have no index, so their number is calculated from the others.
  const { rows } = await sql<Record<"total" | Exclude<DeliveryState, "delivered">, number>>`
    select
      (select count(*) from deliveries) as total,
      (select count(*) from deliveries where state = 'pending') as pending,
      (select count(*) from deliveries where state = 'dead') as dead,
      (select count(*) from deliveries where state = 'cancelled') as cancelled
  `.execute(database);
  const { total, pending, dead, cancelled } = rows[0]!;
  return { pending, delivered: total - pending - dead - cancelled, dead, cancelled };
}

async function countUnfinished(database: Database): Promise<readonly UnfinishedDeliveries[]> {
  const counted = (state: UnfinishedDeliveries["state"]): Promise<UnfinishedDeliveries[]> =>
    database
      .selectFrom("deliveries")
      .select(["application_id as applicationId", sql.lit(state).as("state")])
      .select(({ fn }) => fn.countAll<number>().as("count"))
      // As literal text, so that the partial index is used.
      .where("state", "=", sql.lit(state))
      .groupBy("application_id")
      .execute();
  return [...(await counted("pending")), ...(await counted("dead"))];
}

export async function cancelDeliveries(database: Database, applicationId: string): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable("deliveries")
    .set({ state: "cancelled", next_attempt_at: null })
    .where("application_id", "=", applicationId)
    .where("state", "=", sql.lit("pending"))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

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

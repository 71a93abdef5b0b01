import { sql } from "kysely";
import { atomically } from "../atomically.js";
import { type Database, storedText } from "../database.js";
import type { AttemptRecord, Deliveries, DeliveryState } from "../deliveries.js";
import type { Leases } from "../leases.js";
import { inList } from "./in-list.js";

type Attempts = Pick<Deliveries, "recordAttempts" | "attemptsOf">;

/** The log of attempts, and what each of them changes. */
export function createAttemptsTable(database: Database, leases: Leases): Attempts {
  return {
    async recordAttempts(records) {
      const states = await atomically(database, async (within) => {
        const text = JSON.stringify(records.map(columnsOf));
        await log(within, text);
        const changed = await follow(within, text);
        await followFailures(within, records);
        return changed === records.length
          ? records.map(({ result }) => result.state)
          : readStates(within, records);
      });
      for (const { delivery } of records) leases.release(delivery.applicationId, delivery.seq);
      return states;
    },
    async attemptsOf(id) {
      const rows = await database
        .selectFrom("attempts")
        .selectAll()
        .where("delivery_id", "=", id)
        .orderBy("number")
        .execute();
      return rows.map((row) => ({
        number: row.number,
        startedAt: row.started_at,
        durationMs: row.duration_ms,
        status: row.status,
        error: row.error,
        location: row.location,
        excerpt: row.excerpt,
      }));
    },
  };
}

/** A record as the queries below read it out of JSON text. */
function columnsOf({ delivery, attempt, result }: AttemptRecord): Record<string, unknown> {
  const { status, error, location, excerpt } = attempt;
  return {
    seq: delivery.seq,
    started_at: attempt.startedAt,
    duration_ms: Math.round(attempt.durationMs),
    status,
    error: error && storedText(error),
    location: location && storedText(location),
    excerpt: excerpt && storedText(excerpt),
    state: result.state,
    next_attempt_at: result.state === "pending" ? result.nextAttemptAt : null,
  };
}

/** One statement for all, here and below: to build one for each takes longer than to run it. */
async function log(database: Database, records: string): Promise<void> {
  // A delivery that was erased meanwhile has no log.
  await sql`
    insert into attempts
      (delivery_id, number, started_at, duration_ms, status, error, location, excerpt)
    select
      deliveries.id,
      (select coalesce(max(number), 0) + 1 from attempts where delivery_id = deliveries.id),
      value ->> 'started_at', value ->> 'duration_ms', value ->> 'status',
      value ->> 'error', value ->> 'location', value ->> 'excerpt'
    from json_each(${records}) cross join deliveries on deliveries.seq = value ->> 'seq'
  `.execute(database);
}

/** @returns How many deliveries that changed. */
async function follow(database: Database, records: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set
      state = value ->> 'state',
      attempts = attempts + 1,
      next_attempt_at = value ->> 'next_attempt_at',
      last_status = value ->> 'status',
      last_error = value ->> 'error'
    from json_each(${records})
    where deliveries.seq = value ->> 'seq'
      and (deliveries.state = 'pending' or value ->> 'state' = 'delivered')
  `.execute(database);
  return Number(numAffectedRows);
}

/** Since when endpoints fail: the first failure after the latest success. */
async function followFailures(
  database: Database,
  records: readonly AttemptRecord[],
): Promise<void> {
  const applied = new Map<string, boolean>();
  for (const { delivery, attempt, result } of records) {
    const { applicationId: id } = delivery;
    const isDelivered = result.state === "delivered";
    // The same once more changes nothing.
    if (applied.get(id) === isDelivered) continue;
    applied.set(id, isDelivered);
    await database
      .updateTable("applications")
      .set({ failing_since: isDelivered ? null : attempt.startedAt })
      .where("id", "=", id)
      .where("failing_since", isDelivered ? "is not" : "is", null)
      .execute();
  }
}

async function readStates(
  database: Database,
  records: readonly AttemptRecord[],
): Promise<readonly (DeliveryState | undefined)[]> {
  const rows = await database
    .selectFrom("deliveries")
    .select(["seq", "state"])
    .where("seq", "in", inList(records.map(({ delivery }) => delivery.seq)))
    .execute();
  const states = new Map(rows.map(({ seq, state }) => [seq, state]));
  return records.map(({ delivery }) => states.get(delivery.seq));
}

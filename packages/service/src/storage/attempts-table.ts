import { sql } from "kysely";
import { atomicallyUnsynced } from "./atomically.js";
import { type Database, storedText } from "./database.js";
import type { Deliveries } from "./delivery-store.js";
import type { AttemptRecord, DeliveryState } from "../model/delivery.js";
import type { Leases } from "./leases.js";
import { inNumbers, rowsOf } from "./lists.js";

type Attempts = Pick<Deliveries, "recordAttempts" | "attemptsOf">;

/** Creates the attempt log, which also updates deliveries and applications after each attempt. */
export function createAttempts(database: Database, leases: Leases): Attempts {
  return {
    async recordAttempts(records) {
      const record = async (within: Database): Promise<readonly (DeliveryState | undefined)[]> => {
        await log(within, records);
        // A delivery that failed first and then arrived counts as delivered.
        const changed = (await keepFailed(within, records)) + (await keepArrived(within, records));
        await followFailures(within, records);
        return changed === records.length
          ? records.map(({ result }) => result.state)
          : readStates(within, records);
      };
      const states = await atomicallyUnsynced(database, record);
      for (const { delivery } of records) leases.release(delivery.applicationId, delivery.seq);
      return states;
    },
    async attemptsOf(id) {
      const rows = await database
        .selectFrom("attempts")
        .innerJoin("deliveries", "deliveries.seq", "attempts.delivery_seq")
        .selectAll("attempts")
        .where("deliveries.id", "=", id)
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

/**
 * Uses one statement for all records, here and below: building one for each takes longer than running
 * it. Values are read from the JSON text by position, because finding names takes longer.
 */
async function log(database: Database, records: readonly AttemptRecord[]): Promise<void> {
  const rows = rowsOf(database, records.map(loggedValues));
  // A delivery that was erased in the meantime has no log.
  await sql`
    insert into attempts
      (delivery_seq, number, started_at, duration_ms, status, error, location, excerpt)
    select
      deliveries.seq,
      (select coalesce(max(number), 0) + 1 from attempts where delivery_seq = deliveries.seq),
      cast(value ->> 1 as bigint), cast(value ->> 2 as bigint), cast(value ->> 3 as bigint),
      value ->> 4, value ->> 5, value ->> 6
    from ${rows} cross join deliveries
    where deliveries.seq = cast(value ->> 0 as bigint)
  `.execute(database);
}

function loggedValues({ delivery, attempt }: AttemptRecord): unknown[] {
  const { startedAt, durationMs, status, error, location, excerpt } = attempt;
  const values = [delivery.seq, startedAt, Math.round(durationMs), status];
  // Usually all of these are null, and values omitted at the end are read as null.
  const texts = [error, location, excerpt].map((text) => text && storedText(text));
  return texts.some((text) => text !== null) ? [...values, ...texts] : values;
}

async function keepFailed(database: Database, records: readonly AttemptRecord[]): Promise<number> {
  const failed = records.filter(({ result }) => result.state !== "delivered");
  if (failed.length === 0) return 0;
  const values = failed.map(({ delivery, attempt: { status, error }, result }) => [
    delivery.seq,
    result.state,
    result.state === "pending" ? result.nextAttemptAt : null,
    status,
    error && storedText(error),
  ]);
  const { numAffectedRows } = await sql`
    update deliveries set
      state = value ->> 1,
      attempts = attempts + 1,
      next_attempt_at = cast(value ->> 2 as bigint),
      last_status = cast(value ->> 3 as bigint),
      last_error = value ->> 4
    from ${rowsOf(database, values)}
    where deliveries.seq = cast(value ->> 0 as bigint) and deliveries.state = 'pending'
  `.execute(database);
  return Number(numAffectedRows);
}

/**
 * Stores successful attempts. Nearly all attempts succeed and differ only in their status, so the
 * statement takes a list for each status, which needs a third of the time.
 *
 * @returns Number of deliveries changed.
 */
async function keepArrived(database: Database, records: readonly AttemptRecord[]): Promise<number> {
  const arrived = new Map<number | null, number[]>();
  for (const { delivery, attempt, result } of records) {
    if (result.state !== "delivered") continue;
    const others = arrived.get(attempt.status);
    if (others) others.push(delivery.seq);
    else arrived.set(attempt.status, [delivery.seq]);
  }
  let changed = 0;
  for (const [status, seqs] of arrived) {
    const { numAffectedRows } = await sql`
      update deliveries set
        state = 'delivered',
        attempts = attempts + 1,
        next_attempt_at = null,
        last_status = ${status},
        last_error = null
      where seq in ${inNumbers(database, seqs)}
    `.execute(database);
    changed += Number(numAffectedRows);
  }
  return changed;
}

/** Stores when each endpoint began to fail: its first failure after the latest success. */
async function followFailures(
  database: Database,
  records: readonly AttemptRecord[],
): Promise<void> {
  const applied = new Map<string, boolean>();
  for (const { delivery, attempt, result } of records) {
    const { applicationId: id } = delivery;
    const isDelivered = result.state === "delivered";
    // Applying the same result again would change nothing.
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
    .where(
      "seq",
      "in",
      inNumbers(
        database,
        records.map(({ delivery }) => delivery.seq),
      ),
    )
    .execute();
  const states = new Map(rows.map(({ seq, state }) => [seq, state]));
  return records.map(({ delivery }) => states.get(delivery.seq));
}

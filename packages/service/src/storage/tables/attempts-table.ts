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
        const text = JSON.stringify(records.map(valuesOf));
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

/** A record as the queries below read it out of JSON text, by place: to find names takes longer. */
function valuesOf({ delivery, attempt, result }: AttemptRecord): unknown[] {
  const { status, error, location, excerpt } = attempt;
  return [
    delivery.seq,
    attempt.startedAt,
    Math.round(attempt.durationMs),
    status,
    error && storedText(error),
    location && storedText(location),
    excerpt && storedText(excerpt),
    result.state,
    result.state === "pending" ? result.nextAttemptAt : null,
  ];
}

/** One statement for all, here and below: to build one for each takes longer than to run it. */
async function log(database: Database, records: string): Promise<void> {
  // A delivery that was erased meanwhile has no log.
  await sql`
    insert into attempts
      (delivery_seq, number, started_at, duration_ms, status, error, location, excerpt)
    select
      deliveries.seq,
      (select coalesce(max(number), 0) + 1 from attempts where delivery_seq = deliveries.seq),
      value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
    from json_each(${records}) cross join deliveries on deliveries.seq = value ->> 0
  `.execute(database);
}

/** @returns How many deliveries that changed. */
async function follow(database: Database, records: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update deliveries set
      state = value ->> 7,
      attempts = attempts + 1,
      next_attempt_at = value ->> 8,
      last_status = value ->> 3,
      last_error = value ->> 4
    from json_each(${records})
    where deliveries.seq = value ->> 0
      and (deliveries.state = 'pending' or value ->> 7 = 'delivered')
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

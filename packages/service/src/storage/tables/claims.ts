import { sql } from "kysely";
import { atomically } from "../atomically.js";
import type { Database } from "../database.js";
import type { ClaimedDelivery, Deliveries } from "../deliveries.js";
import type { Clock } from "../instant.js";
import type { Leases } from "../leases.js";
import { readBody } from "./bodies.js";
import { inList } from "./in-list.js";

type Claims = Pick<Deliveries, "claim" | "release" | "schedule">;

interface ClaimedRow {
  readonly id: string;
  readonly seq: number;
  readonly attempts: number;
}

/** Who sends what, and when there is something to send. */
export function createClaims(database: Database, clock: Clock, leases: Leases): Claims {
  return {
    // In a transaction, so that nobody takes or records the same ones meanwhile.
    claim: (applicationId, { limit, maxBytes, now, leasedUntil }) =>
      atomically(database, async (within) => {
        const { revision } = leases;
        const { rows } = await sql<ClaimedRow>`
          with due as (
            select id, seq, attempts, body_bytes, sum(body_bytes) over
              (order by next_attempt_at, seq rows unbounded preceding) as bytes_so_far
            from deliveries
            where application_id = ${applicationId}
              and state = 'pending'
              and next_attempt_at <= ${now}
              and seq not in ${inList(leases.held(applicationId, now))}
            order by next_attempt_at, seq
            limit ${limit}
          )
          select id, seq, attempts from due
          where bytes_so_far <= ${maxBytes} or bytes_so_far = body_bytes
        `.execute(within);
        // A query without an order of its own answers in any.
        const inOrder = rows.toSorted((one, other) => one.seq - other.seq);
        const claimed: ClaimedDelivery[] = [];
        for (const row of inOrder) {
          const body = leases.bodies.take(row.id) ?? (await readBody(within, row.id));
          claimed.push({ ...row, applicationId, body: body!, revision });
        }
        for (const { seq } of claimed) leases.hold(applicationId, seq, leasedUntil);
        return claimed;
      }),

    release(deliveries) {
      for (const { applicationId, seq } of deliveries) leases.release(applicationId, seq);
    },

    async schedule() {
      const rows = await database
        .selectFrom("deliveries")
        .select(({ fn }) => ["application_id", fn.min("next_attempt_at").as("next_attempt_at")])
        .where("state", "=", "pending")
        .where("seq", "not in", inList(leases.allHeld(clock())))
        .groupBy("application_id")
        .execute();
      return rows.map((row) => ({
        applicationId: row.application_id,
        nextAttemptAt: row.next_attempt_at!,
      }));
    },
  };
}

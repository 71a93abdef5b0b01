import { sql } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Deliveries } from "./delivery-store.js";
import type { ClaimedDelivery } from "../model/delivery.js";
import { ALL_PARTITIONS } from "../model/log-entry.js";
import type { Instant } from "../model/instant.js";
import type { Leases } from "./leases.js";
import { inNumbers } from "./lists.js";

type Claims = Pick<Deliveries, "claim" | "release" | "schedule">;

interface ClaimedRow {
  readonly id: string;
  readonly seq: number;
  readonly attempts: number;
}

/** Creates the queries that claim due deliveries and find out when the next ones are due. */
export function createClaims(database: Database, leases: Leases): Claims {
  return {
    // In a transaction, so that the same deliveries cannot be claimed or recorded at the same time.
    claim(applicationId, { limit, now, leaseMs }) {
      const take = async (within: Database): Promise<ClaimedDelivery[]> => {
        const { revision } = leases;
        const { rows } = await sql<ClaimedRow>`
          select id, seq, attempts from deliveries
          where application_id = ${applicationId}
            and state = 'pending'
            and next_attempt_at <= ${now}
            and seq not in ${inNumbers(within, leases.held(applicationId))}
          order by next_attempt_at, seq
          limit ${limit}
        `.execute(within);
        const claimed: ClaimedDelivery[] = rows
          .map(({ id, seq, attempts }) => ({ id, applicationId, seq, attempts, revision }))
          .sort((one, other) => one.seq - other.seq);
        for (const { seq } of claimed) leases.hold(applicationId, seq, leaseMs);
        return claimed;
      };
      return atomically(database, take);
    },

    release(deliveries) {
      for (const { applicationId, seq } of deliveries) leases.release(applicationId, seq);
    },

    async schedule(partitions = ALL_PARTITIONS) {
      const { rows } = await sql<{ applicationId: string; nextAttemptAt: Instant }>`
        select application_id as "applicationId", min(next_attempt_at) as "nextAttemptAt"
        from deliveries
        where state = 'pending' and seq not in ${inNumbers(database, leases.allHeld())}
          and application_id in (
            select application_id from heads
            where partition in ${inNumbers(database, partitions)}
          )
        group by application_id
      `.execute(database);
      return rows;
    },
  };
}

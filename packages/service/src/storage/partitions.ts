import { hostname } from "node:os";
import { sql } from "kysely";
import { ALL_PARTITIONS } from "../model/log-entry.js";
import type { Database } from "./database.js";
import type { DatabaseClock } from "./database-clock.js";
import { dialectOf } from "./dialect.js";
import type { Partitions, RunningProcess } from "./log-store.js";
import { inNumbers } from "./lists.js";

export function createPartitions(database: Database, clock: DatabaseClock): Partitions {
  return dialectOf(database).isShared ? sharedPartitions(database, clock) : onlyOwner;
}

/** How the console names this process. */
const NAME = `${hostname()}/${process.pid}`;

/** A data directory has one process, which owns everything. */
const everything = new Map(ALL_PARTITIONS.map((partition) => [partition, 0]));

const onlyOwner: Partitions = {
  isShared: false,
  renew: () => Promise.resolve({ owned: everything, members: 1 }),
  take: () => Promise.resolve(),
  release: () => Promise.resolve(),
  leave: () => Promise.resolve(),
  processes: () => Promise.resolve([{ name: NAME, partitions: ALL_PARTITIONS, clockAheadMs: 0 }]),
};

/** Now, by the clock of the database, in Unix milliseconds. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Sets a clock by that of the database. */
export async function readClock(database: Database, clock: DatabaseClock): Promise<void> {
  const askedMs = performance.now();
  const { rows } = await sql<{ now: number }>`select ${NOW} as now`.execute(database);
  clock.observe(rows[0]!.now, askedMs);
}

function sharedPartitions(database: Database, clock: DatabaseClock): Partitions {
  return {
    isShared: true,
    async renew(id, leaseMs) {
      const askedMs = performance.now();
      const { rows } = await sql<{
        owned: [number, number][] | null;
        members: number;
        now: number;
      }>`
        with clock as materialized (select ${NOW} as now),
        alive as (
          insert into members (id, name, ahead_ms, until_ms)
          select
            ${id}::text, ${NAME}::text, ${Math.round(clock.aheadMs())}::bigint,
            now + ${leaseMs}::bigint
          from clock
          on conflict (id) do update set
            ahead_ms = excluded.ahead_ms, until_ms = excluded.until_ms
        ),
        gone as (delete from members where id <> ${id} and until_ms < (select now from clock)),
        renewed as (
          update partitions set until_ms = now + ${leaseMs}::bigint from clock
          where owner = ${id}
          returning partition, epoch
        )
        select
          (select json_agg(json_build_array(partition, epoch)) from renewed) as owned,
          (select 1 + count(*) from members where id <> ${id} and until_ms >= now) as members,
          now
        from clock
      `.execute(database);
      const { owned, members, now } = rows[0]!;
      clock.observe(now, askedMs);
      return { owned: new Map(owned), members };
    },
    async take(id, limit, leaseMs) {
      await sql`
        update partitions
        set owner = ${id}, epoch = epoch + 1, until_ms = ${NOW} + ${leaseMs}::bigint
        where partition in (
          select partition from partitions where until_ms < ${NOW}
          order by random() limit ${limit} for update skip locked
        )
      `.execute(database);
    },
    async release(id, partitions) {
      await sql`
        update partitions set owner = null, until_ms = 0
        where owner = ${id} and partition in ${inNumbers(database, partitions)}
      `.execute(database);
    },
    async leave(id) {
      await sql`update partitions set owner = null, until_ms = 0 where owner = ${id}`.execute(
        database,
      );
      await sql`delete from members where id = ${id}`.execute(database);
    },
    async processes() {
      const { rows } = await sql<RunningProcess>`
        select
          name, ahead_ms as "clockAheadMs",
          coalesce(
            (
              select json_agg(partition order by partition) from partitions
              where owner = members.id and partitions.until_ms >= ${NOW}
            ),
            '[]'::json
          ) as partitions
        from members where until_ms >= ${NOW} order by name
      `.execute(database);
      return rows;
    },
  };
}

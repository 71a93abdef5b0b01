import type { BlockStore } from "@riskgate/core/blocks";
import { type ErrorHook, readDigest } from "@riskgate/core/internal";
import { openTable, type PostgresPool } from "./open-table.js";

export interface PostgresBlockStoreOptions {
  /**
   * Table of the blocks, created on first use if missing; default `riskgate_blocks`. A lowercase
   * name, optionally preceded by a schema name and a dot.
   */
  readonly table?: string;
  /**
   * Key for the digests of accounts: at least 32 bytes, the same in all processes. Without it,
   * anybody who can read the table can test whether it blocks an account.
   */
  readonly secret?: string | Uint8Array;
  /** Pause between two reads by each process, in milliseconds; default 500. */
  readonly everyMs?: number;
  /** Milliseconds for one call, default 2,000; after that the last known list stays. */
  readonly timeoutMs?: number;
  /** Receives errors that make PostgreSQL unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/**
 * Time for which an ended block is kept, in milliseconds, so that all processes learn of the end, and
 * an earlier response that arrives later does not begin it again.
 */
const KEPT_MS = 86_400_000;

/** A process that has read nothing for longer reads all blocks again. */
const MAX_AGE_MS = KEPT_MS / 2;

/** Changes that overlap two reads are read twice: they may be committed later than they are dated. */
const OVERLAP_MS = 10_000;

/**
 * Creates a store of blocks in PostgreSQL, shared by all processes behind a route, for the option
 * `store` of `createBlockList`. Accounts are stored as digests.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or pool.
 */
export function createPostgresBlockStore(
  pool: PostgresPool,
  options: PostgresBlockStoreOptions = {},
): BlockStore {
  const { table, run, digest, everyMs } = openTable(pool, options, {
    factory: "createPostgresBlockStore",
    name: "block store",
    table: "riskgate_blocks",
    columns:
      "key text primary key, until_at timestamptz not null, changed_at timestamptz not null, decided_at timestamptz not null",
    indexed: "changed_at",
    timeoutMs: 2_000,
    more: (given) => ({
      digest: readDigest(given),
      everyMs: given.durationMs("everyMs", 500, { min: 10 }),
    }),
  });
  const msOf = (time: string): string => `floor(extract(epoch from ${time}) * 1000)`;
  const after = (ms: string): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`;
  const ofLatest = (column: string): string =>
    `case when excluded.decided_at >= known.decided_at then excluded.${column} else known.${column} end`;
  // In one order, so that two processes cannot wait for each other.
  const save = `
    insert into ${table} as known (key, until_at, changed_at, decided_at, ends_at)
    select
      key, ${after("ms")}, clock_timestamp(),
      coalesce(
        to_timestamp(decided / 1000),
        greatest(clock_timestamp(), (select decided_at from ${table} where key = given.key))
      ),
      ${after(`(ms + ${KEPT_MS})`)}
    from unnest($1::text[], $2::float8[], $3::float8[]) as given (key, ms, decided)
    order by key
    on conflict (key) do update set
      until_at = ${ofLatest("until_at")},
      ends_at = ${ofLatest("ends_at")},
      decided_at = greatest(known.decided_at, excluded.decided_at),
      changed_at = excluded.changed_at`;
  const read = `
    with moment as materialized (select clock_timestamp() as at)
    select ${msOf("moment.at")} as now, $1::float8 < ${msOf("moment.at")} - ${MAX_AGE_MS} as complete, (
      select coalesce(json_agg(json_build_array(key, ${msOf("until_at - moment.at")})), '[]')::text
      from ${table}
      where case when $1::float8 < ${msOf("moment.at")} - ${MAX_AGE_MS}
        then until_at > moment.at
        else changed_at > to_timestamp($1::float8 / 1000) - interval '${OVERLAP_MS} milliseconds' end
    ) as blocks
    from moment`;

  return {
    everyMs,
    digestOf: (mailbox) => digest(`mailbox ${mailbox}`),
    async changes(cursor = "0") {
      const [row] = await run(read, [Number(cursor)]);
      const { now, complete, blocks } = row as Readonly<Record<string, unknown>>;
      const entries = JSON.parse(String(blocks)) as readonly [string, number][];
      return {
        cursor: String(now),
        isComplete: complete === true,
        blocks: entries.map(([target, ms]) => ({ target, forMs: Math.max(0, ms) })),
      };
    },
    async save(changes) {
      // A target may not appear twice in one statement.
      const last = [...new Map(changes.map((one) => [one.target, one])).values()];
      if (last.length === 0) return;
      await run(save, [
        last.map(({ target }) => target),
        last.map(({ forMs }) => forMs),
        last.map(({ decidedMs }) => decidedMs ?? null),
      ]);
    },
  };
}

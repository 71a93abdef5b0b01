import type { SingleUseStore } from "@riskgate/core";
import type { ErrorHook } from "@riskgate/core/internal";
import { openTable, type PostgresPool } from "./open-table.js";

export interface PostgresSingleUseStoreOptions {
  /**
   * Table of the tokens, created on first use if missing; default `riskgate_challenge_tokens`. A
   * lowercase name, optionally preceded by a schema name and a dot.
   */
  readonly table?: string;
  /** Milliseconds for one call, default 500; after that the token is not accepted. */
  readonly timeoutMs?: number;
  /** Receives errors that make PostgreSQL unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/**
 * Creates a store of used challenge tokens in PostgreSQL, shared by all processes behind a route,
 * for the option `challenge.seen`. While PostgreSQL is unhealthy, no token is accepted.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or pool.
 */
export function createPostgresSingleUseStore(
  pool: PostgresPool,
  options: PostgresSingleUseStoreOptions = {},
): SingleUseStore {
  const { table, run } = openTable(pool, options, {
    factory: "createPostgresSingleUseStore",
    name: "challenge token store",
    table: "riskgate_challenge_tokens",
    // By bytes, so that the keys of a network follow each other: `network nonce`.
    columns: `key text collate "C" primary key, is_solved boolean not null`,
    timeoutMs: 500,
    more: () => ({}),
  });
  // The insertion waits for another one of the same key. Tokens that arrive at the same moment may
  // exceed a limit, because each statement counts those that were stored before it started.
  const use = `
    with counted as materialized (
      select count(*) as total, count(*) filter (where not is_solved) as unsolved,
        coalesce(bool_or(key = $1), false) as is_known
      from ${table}
      where key >= $2::text || ' ' and key < $2::text || '!' and ends_at > clock_timestamp()
    ),
    added as (
      insert into ${table} as known (key, is_solved, ends_at)
      select $1, false, clock_timestamp() + $3::float8 * interval '1 millisecond'
      from counted
      where not is_known and unsolved < $4::float8 and total < $5::float8
      on conflict (key) do update set is_solved = false, ends_at = excluded.ends_at
        where known.ends_at <= clock_timestamp()
      returning key
    )
    select case
      when exists (select from added) then 'new'
      when is_known or (unsolved < $4::float8 and total < $5::float8) then 'used'
      else 'full' end as answer
    from counted`;
  const solve = `update ${table} set is_solved = true where key = $1 and not is_solved`;

  return {
    evicts: false,
    async use({ nonce, network, ttlMs, maxUnsolved, maxTotal }) {
      const values = [`${network} ${nonce}`, network, ttlMs, maxUnsolved, maxTotal];
      const [row] = await run(use, values);
      return (row as { readonly answer: "new" | "used" | "full" }).answer;
    },
    async solve({ nonce, network }) {
      await run(solve, [`${network} ${nonce}`]);
    },
  };
}

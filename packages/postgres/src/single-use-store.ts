import type { SingleUseStore } from "@riskgate/core";
import type { ErrorHook } from "@riskgate/core/internal";
import { createOneAtATime } from "./one-at-a-time.js";
import { openTable, type PostgresPool } from "./open-table.js";

type Token = Parameters<SingleUseStore["use"]>[0];

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
  const { table, run, runAll } = openTable(pool, options, {
    factory: "createPostgresSingleUseStore",
    name: "challenge token store",
    table: "riskgate_challenge_tokens",
    // By bytes, so that the keys of a network follow each other: `network nonce`.
    columns: `key text collate "C" primary key, is_solved boolean not null`,
    timeoutMs: 500,
    more: () => ({}),
  });
  /**
   * The second statement sees what was committed before its transaction got the lock of the network,
   * so no token exceeds a limit, however many arrive at the same moment.
   */
  const use = ({ nonce, network, ttlMs, maxUnsolved, maxTotal }: Token): string => `
    set transaction isolation level read committed;
    select pg_advisory_xact_lock(hashtextextended(${literal(`${table} ${network}`)}, 0));
    with counted as materialized (
      select count(*) as total, count(*) filter (where not is_solved) as unsolved,
        coalesce(bool_or(key = ${literal(`${network} ${nonce}`)}), false) as is_known
      from ${table}
      where key >= ${literal(`${network} `)} and key < ${literal(`${network}!`)}
        and ends_at > clock_timestamp()
    ),
    added as (
      -- An expired token may not have been removed yet.
      insert into ${table} (key, is_solved, ends_at)
      select ${literal(`${network} ${nonce}`)}, false,
        clock_timestamp() + ${number(ttlMs)} * interval '1 millisecond'
      from counted
      where not is_known and unsolved < ${number(maxUnsolved)} and total < ${number(maxTotal)}
      on conflict (key) do update set is_solved = false, ends_at = excluded.ends_at
      returning key
    )
    select case
      when is_known then 'used'
      when exists (select from added) then 'new'
      else 'full' end as answer
    from counted`;
  const solve = `update ${table} set is_solved = true where key = $1 and not is_solved`;

  const oneAtATime = createOneAtATime();
  return {
    evicts: false,
    use: async (token) =>
      oneAtATime(
        token.network,
        async () => {
          const [row] = await runAll(use(token));
          return (row as { readonly answer: "new" | "used" | "full" }).answer;
        },
        "full",
      ),
    async solve({ nonce, network }) {
      await run(solve, [`${network} ${nonce}`]);
    },
  };
}

/** A text as SQL: several statements in one query have no parameters. Hexadecimal needs no escapes. */
function literal(text: string): string {
  return `convert_from(decode('${Buffer.from(text).toString("hex")}', 'hex'), 'UTF8')`;
}

function number(value: number): string {
  return `${literal(String(value))}::float8`;
}

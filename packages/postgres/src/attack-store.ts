import type { AttackStore, LoginCounts } from "@riskgate/core/attack";
import type { ErrorHook } from "@riskgate/core/internal";
import { openTable, type PostgresPool } from "./open-table.js";

export interface PostgresAttackStoreOptions {
  /**
   * Table of the counts, created on first use if missing; default `riskgate_attack`. A lowercase
   * name, optionally preceded by a schema name and a dot.
   */
  readonly table?: string;
  /** Milliseconds for one call, default 250; after that the process uses its own counts. */
  readonly timeoutMs?: number;
  /** Receives errors that make PostgreSQL unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

const FIELDS = ["known", "fresh", "failed", "attacked"] as const;

/**
 * Creates a store of login counts in PostgreSQL, shared by all processes behind a route, for the
 * option `store` of `createAttackMode`. It contains numbers only. While PostgreSQL is unhealthy, no
 * request waits for it, and each process uses its own counts.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or pool.
 */
export function createPostgresAttackStore(
  pool: PostgresPool,
  options: PostgresAttackStoreOptions = {},
): AttackStore {
  const { table, run } = openTable(pool, options, {
    factory: "createPostgresAttackStore",
    name: "attack store",
    table: "riskgate_attack",
    columns: `key text primary key, ${FIELDS.map((name) => `${name} bigint not null`).join(", ")}`,
    more: () => ({}),
  });
  const read = `
    select ${FIELDS.map((name) => `coalesce(kept.${name}, 0)::float8 as ${name}`).join(", ")}
    from unnest($1::text[]) with ordinality as asked(key, at)
    left join ${table} as kept using (key) order by at`;
  const add = `
    insert into ${table} as kept (key, ${FIELDS.join(", ")}, ends_at)
    values ($1, $2, $3, $4, $5, clock_timestamp() + $6::float8 * interval '1 millisecond')
    on conflict (key) do update set
      ${FIELDS.map((name) => `${name} = kept.${name} + excluded.${name}`).join(", ")}
    returning ${FIELDS.map((name) => `kept.${name}`).join(", ")}`;
  // A statement does not see the rows that it has changed itself.
  const addAndRead = `
    with added as (${add})
    select ${FIELDS.map((name) => `coalesce(case when asked.key = $1 then added.${name} else kept.${name} end, 0)::float8 as ${name}`).join(", ")}
    from added
    left join unnest($7::text[]) with ordinality as asked(key, at) on true
    left join ${table} as kept on kept.key = asked.key
    where asked.key is not null order by at`;

  return {
    async count({ name, period, adds, reads, ttlMs }) {
      const keys = reads.map((one) => `${name}:${one}`);
      if (Object.keys(adds).length === 0) return (await run(read, [keys])).map(countsOf);
      const added = FIELDS.map((field) => adds[field] ?? 0);
      const values = [`${name}:${period}`, ...added, ttlMs, keys];
      return (await run(addAndRead, values)).map(countsOf);
    },
  };
}

function countsOf(row: unknown): LoginCounts {
  const { known, fresh, failed, attacked } = row as Readonly<Record<string, unknown>>;
  return {
    known: Number(known),
    fresh: Number(fresh),
    failed: Number(failed),
    attacked: Number(attacked),
  };
}

import type { Tally, VelocityStore } from "@riskgate/core/velocity";
import { type ErrorHook, readDigest } from "@riskgate/core/internal";
import { openTable, type PostgresPool } from "./open-table.js";
import { type Statements, statements } from "./velocity-statements.js";

export interface PostgresVelocityStoreOptions {
  /**
   * Table of the counts, created on first use if missing; default `riskgate_velocity`. A lowercase
   * name, optionally preceded by a schema name and a dot.
   */
  readonly table?: string;
  /**
   * Key for the digests in the table: at least 32 bytes, the same in all processes. Without it,
   * anybody who can read the table can test whether it counts an address. With another secret,
   * counts start at 0.
   */
  readonly secret?: string | Uint8Array;
  /** Milliseconds for one call, default 250; after that the process uses its own counts. */
  readonly timeoutMs?: number;
  /** Receives errors that make PostgreSQL unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/**
 * Creates a store of counts in PostgreSQL, shared by all processes behind a route, for the option
 * `store` of `createVelocity`. Keys are digests. While PostgreSQL is unhealthy, no request waits
 * for it, and each process uses its own counts.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or pool.
 */
export function createPostgresVelocityStore(
  pool: PostgresPool,
  options: PostgresVelocityStoreOptions = {},
): VelocityStore {
  const { table, run, digest } = openTable(pool, options, {
    factory: "createPostgresVelocityStore",
    name: "velocity store",
    table: "riskgate_velocity",
    columns:
      "key bytea primary key, part bigint not null, current integer not null, earlier integer not null",
    more: (given) => ({ digest: readDigest(given) }),
  });
  const sql = statements(table);
  return {
    async tally(tally) {
      if (tally.counters.length === 0 && tally.once === undefined) return [];
      const rows = await run(...queryOf(tally, sql, digest));
      return rows.map((row) => Number((row as { readonly count: unknown }).count));
    },
  };
}

function queryOf(
  tally: Tally,
  sql: Statements,
  digest: (text: string) => string,
): [text: string, values: unknown[]] {
  const { counters, windowMs, adds, once, distinct, takesBack } = tally;
  const keyOf = (name: string): Buffer => Buffer.from(digest(`${windowMs} ${name}`), "base64url");
  const keys = counters.map(keyOf);
  const values: unknown[] = [keys, Math.ceil(windowMs)];
  if (!adds && !takesBack) return [sql.read, values];
  if (distinct === undefined) {
    values.push(once === undefined ? null : keyOf(`once ${once}`));
    return [sql.add, values];
  }
  const inEach = counters.map((name) => keyOf(`in ${name.length} ${name}${distinct}`));
  return [adds ? sql.addDistinct : sql.takeBack, [...values, inEach]];
}

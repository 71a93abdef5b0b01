import { RiskGateError } from "@riskgate/core";
import type { Tally, VelocityStore } from "@riskgate/core/velocity";
import { readOptions } from "@riskgate/core/adapter";
import {
  createErrorReport,
  type ErrorHook,
  GuardedServer,
  readDigest,
} from "@riskgate/core/internal";
import { type Statements, statements } from "./velocity-statements.js";

/** The parts of a `pg` pool that are used. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

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

/** Minimum interval between removals of expired rows, which happen while counting. */
const PRUNE_INTERVAL_MS = 60_000;

/** Rows removed per statement, so that no request waits long. */
const PRUNED_AT_ONCE = 1_000;

const TABLE = /^[a-z_][a-z0-9_]{0,50}(?:\.[a-z_][a-z0-9_]{0,50})?$/;

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
  checkPool(pool);
  const { table, timeoutMs, digest, report } = readOptions(
    "createPostgresVelocityStore",
    options,
    (given) => {
      const name = given.string("table") ?? "riskgate_velocity";
      if (!TABLE.test(name)) given.refuse("table", "a name in lower case", name);
      return {
        table: name,
        digest: readDigest(given),
        timeoutMs: given.durationMs("timeoutMs", 250),
        report: createErrorReport(given.function<ErrorHook>("onError")),
      };
    },
  );
  const sql = statements(table);
  const failed = (cause: unknown): void =>
    report(new RiskGateError("STORE_FAILED", "the velocity store failed", { cause }));
  const server = new GuardedServer({
    name: "PostgreSQL",
    timeoutMs,
    ping: () => pool.query("select 1"),
    onDown: failed,
  });

  let made: Promise<unknown> | undefined;
  /** One attempt at a time; if it fails, the next call tries again. */
  const make = (): Promise<unknown> =>
    (made ??= makeTable(pool, table).catch((cause: unknown) => {
      made = undefined;
      throw cause;
    }));

  let prunedMs = performance.now();
  const prune = (): void => {
    if (performance.now() - prunedMs < PRUNE_INTERVAL_MS) return;
    prunedMs = performance.now();
    pool.query(sql.prune, [PRUNED_AT_ONCE]).catch(failed);
  };

  return {
    async tally(tally) {
      if (tally.counters.length === 0 && tally.once === undefined) return [];
      const { rows } = await server.run(async () => {
        await make();
        return pool.query(...queryOf(tally, sql, digest));
      });
      prune();
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

function checkPool(pool: unknown): asserts pool is PostgresPool {
  const query: unknown = (pool as Partial<PostgresPool> | null | undefined)?.query;
  if (typeof query === "function") return;
  throw new RiskGateError(
    "CONFIG_INVALID",
    "the first argument of createPostgresVelocityStore() must be a pool of pg (new Pool())",
  );
}

/** Two processes that start at once may both find the table missing, so a lock serializes them. */
async function makeTable(pool: PostgresPool, table: string): Promise<void> {
  const { rows } = await pool.query("select to_regclass($1) as found", [table]);
  if ((rows[0] as { readonly found: unknown } | undefined)?.found) return;
  // A query without parameters may contain several statements, which form one transaction.
  await pool.query(`
    select pg_advisory_xact_lock(hashtext('${table}'));
    create table if not exists ${table} (
      key bytea primary key,
      part bigint not null,
      current integer not null,
      earlier integer not null,
      ends_at timestamptz not null
    );
    create index if not exists ${table.replace(".", "_")}_ends_at on ${table} (ends_at);
  `);
}

import { RiskGateError } from "@riskgate/core";
import { type OptionReader, readOptions } from "@riskgate/core/adapter";
import { createErrorReport, type ErrorHook, GuardedServer } from "@riskgate/core/internal";

/** The parts of a `pg` pool that are used. Several statements in one text return a list of results. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

interface TableSettings<More> {
  readonly factory: string;
  /** Name of the store in errors. */
  readonly name: string;
  readonly table: string;
  /** Definitions of the columns; `ends_at` is when a row may be removed. */
  readonly columns: string;
  /** A further column with an index. */
  readonly indexed?: string;
  /** Default of the option `timeoutMs`. */
  readonly timeoutMs?: number;
  readonly more: (given: OptionReader) => More;
}

interface OpenTable {
  readonly table: string;
  /** Runs one statement, unless PostgreSQL is unhealthy; creates the table first if missing. */
  readonly run: (text: string, values: unknown[]) => Promise<readonly unknown[]>;
  /** Runs several statements in one transaction and one round trip; returns the last one's rows. */
  readonly runAll: (text: string) => Promise<readonly unknown[]>;
}

/** Interval between removals of expired rows, which happen after a statement. */
const PRUNE_INTERVAL_MS = 60_000;

/** Rows removed at once, so that no request waits long; if more have expired, the next follows. */
const PRUNED_AT_ONCE = 1_000;

const TABLE = /^[a-z_][a-z0-9_]{0,50}(?:\.[a-z_][a-z0-9_]{0,50})?$/;

/**
 * Opens the table of a store, whose rows expire.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or pool.
 */
export function openTable<More extends object>(
  pool: PostgresPool,
  options: object,
  {
    factory,
    name,
    table: usual,
    columns,
    indexed = "ends_at",
    timeoutMs: usualMs = 250,
    more,
  }: TableSettings<More>,
): OpenTable & More {
  checkPool(pool, factory);
  const settings = readOptions(factory, options, (given) => {
    const table = given.string("table") ?? usual;
    if (!TABLE.test(table)) given.refuse("table", "a name in lower case", table);
    return {
      table,
      timeoutMs: given.durationMs("timeoutMs", usualMs),
      report: createErrorReport(given.function<ErrorHook>("onError")),
      ...more(given),
    };
  });
  const { table, timeoutMs, report } = settings;
  const failed = (cause: unknown): void =>
    report(new RiskGateError("STORE_FAILED", `the ${name} failed`, { cause }));
  const server = new GuardedServer({
    name: "PostgreSQL",
    timeoutMs,
    ping: () => pool.query("select 1"),
    onDown: failed,
  });

  let made: Promise<unknown> | undefined;
  /** One attempt at a time; if it fails, the next call tries again. */
  const make = (): Promise<unknown> =>
    (made ??= makeTable(pool, table, columns, ["ends_at", indexed]).catch((cause: unknown) => {
      made = undefined;
      throw cause;
    }));

  const expired = `select key from ${table} where ends_at < clock_timestamp() limit $1`;
  const removal = `delete from ${table} where key in (${expired} for update skip locked)`;
  let pruneMs = performance.now() + PRUNE_INTERVAL_MS;
  const prune = (): void => {
    if (performance.now() < pruneMs) return;
    // One removal at a time.
    pruneMs = Infinity;
    pool
      .query(`with gone as (${removal} returning 1) select count(*) as count from gone`, [
        PRUNED_AT_ONCE,
      ])
      .then(({ rows }) => Number((rows[0] as { readonly count: unknown }).count), failed)
      .then((removed) => {
        pruneMs = removed === PRUNED_AT_ONCE ? 0 : performance.now() + PRUNE_INTERVAL_MS;
      }, failed);
  };

  /** Without values, the text may contain several statements, and each has a result. */
  const run = async (text: string, values?: unknown[]): Promise<readonly unknown[]> => {
    const results = await server.run(async () => {
      await make();
      return pool.query(text, values);
    });
    prune();
    return [results].flat().at(-1)?.rows ?? [];
  };

  return { ...settings, run, runAll: async (text) => run(text) };
}

function checkPool(pool: unknown, factory: string): asserts pool is PostgresPool {
  const query: unknown = (pool as Partial<PostgresPool> | null | undefined)?.query;
  if (typeof query === "function") return;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `the first argument of ${factory}() must be a pool of pg (new Pool())`,
  );
}

/** Two processes that start at once may both find the table missing, so a lock serializes them. */
async function makeTable(
  pool: PostgresPool,
  table: string,
  columns: string,
  indexed: readonly string[],
): Promise<void> {
  const { rows } = await pool.query("select to_regclass($1) as found", [table]);
  if ((rows[0] as { readonly found: unknown } | undefined)?.found) return;
  const indexes = indexed.map(
    (column) =>
      `create index if not exists ${table.replace(".", "_")}_${column} on ${table} (${column});`,
  );
  // A query without parameters may contain several statements, which form one transaction.
  await pool.query(`
    select pg_advisory_xact_lock(hashtext('${table}'));
    create table if not exists ${table} (${columns}, ends_at timestamptz not null);
    ${indexes.join("\n")}
  `);
}

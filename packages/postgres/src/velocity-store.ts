import { createHash } from "node:crypto";
import { RiskGateError } from "@riskgate/core";
import type { Tally, VelocityStore } from "@riskgate/core/velocity";
import { readOptions } from "@riskgate/core/adapter";
import { createErrorReport, type ErrorHook, GuardedServer } from "@riskgate/core/internal";

/** A pool of `pg`, as far as it is used here. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Options of {@link createPostgresVelocityStore}. */
export interface PostgresVelocityStoreOptions {
  /**
   * Table of the counts, created at first use if it is missing; default `riskgate_velocity`. A name in
   * lower case, perhaps behind that of a schema.
   */
  readonly table?: string;
  /** Time for one call, in milliseconds; default 250, after which the process goes by its own counts. */
  readonly timeoutMs?: number;
  /** Receives what made PostgreSQL unhealthy; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/** How often a process removes what has run out, at most; it does so while it counts. */
const PRUNE_INTERVAL_MS = 60_000;

/** Rows removed at once, so that no request waits for the others. */
const PRUNED_AT_ONCE = 1_000;

const TABLE = /^[a-z_][a-z0-9_]{0,50}(?:\.[a-z_][a-z0-9_]{0,50})?$/;

/**
 * Counts in PostgreSQL, for all processes behind one route: the option `store` of `createVelocity`. Keys
 * are digests. While PostgreSQL is unhealthy no request waits for it, and each process goes by its own counts.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option or pool.
 */
export function createPostgresVelocityStore(
  pool: PostgresPool,
  options: PostgresVelocityStoreOptions = {},
): VelocityStore {
  checkPool(pool);
  const { table, timeoutMs, report } = readOptions(
    "createPostgresVelocityStore",
    options,
    (given) => {
      const name = given.string("table") ?? "riskgate_velocity";
      if (!TABLE.test(name)) given.refuse("table", "a name in lower case", name);
      return {
        table: name,
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
  /** One attempt at a time; the next call tries again where it failed. */
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
        return pool.query(...queryOf(tally, sql));
      });
      prune();
      return rows.map((row) => Number((row as { readonly count: unknown }).count));
    },
  };
}

/** Returns the statement of a tally with its values. */
function queryOf(tally: Tally, sql: Statements): [text: string, values: unknown[]] {
  const { counters, windowMs, adds, once, distinct, takesBack } = tally;
  const keys = counters.map((name) => digestOf(windowMs, name));
  const values: unknown[] = [keys, Math.ceil(windowMs)];
  if (!adds && !takesBack) return [sql.read, values];
  if (distinct === undefined) {
    values.push(once === undefined ? null : digestOf(windowMs, `once ${once}`));
    return [sql.add, values];
  }
  const inEach = counters.map((name) => digestOf(windowMs, `in ${name.length} ${name}${distinct}`));
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

function digestOf(windowMs: number, name: string): Buffer {
  return createHash("sha256").update(`${windowMs} ${name}`).digest().subarray(0, 16);
}

/** Two processes that begin at once may both find no table; a lock makes them take turns. */
async function makeTable(pool: PostgresPool, table: string): Promise<void> {
  const { rows } = await pool.query("select to_regclass($1) as found", [table]);
  if ((rows[0] as { readonly found: unknown } | undefined)?.found) return;
  // A statement without values may be several, which are one transaction.
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

interface Statements {
  readonly add: string;
  readonly read: string;
  readonly addDistinct: string;
  readonly takeBack: string;
  readonly prune: string;
}

/**
 * The counter of a key as the part of time `now.part` sees it. What was counted in the part before
 * weighs by as much of it as the window still covers.
 */
const COUNT = `case
  when found.part >= now.part then found.current + found.earlier * now.covered
  when found.part = now.part - 1 then found.current * now.covered
  else 0 end`;

/** One statement each: one round trip, on the clock of PostgreSQL, which all processes share. */
function statements(table: string): Statements {
  const now = `now as materialized (
    select floor(ms / $2::float8)::bigint as part,
      1 - ms / $2::float8 + floor(ms / $2::float8) as covered,
      to_timestamp((floor(ms / $2::float8) + 2) * $2::float8 / 1000) as ends_at
    from (select extract(epoch from clock_timestamp())::float8 * 1000 as ms) as clock
  )`;
  const counts = `
    select coalesce(${COUNT}, 0) as count
    from unnest($1::bytea[]) with ordinality as asked (key, place)
    cross join now`;
  const asked = `asked as (
    select key, mark from unnest($1::bytea[], $3::bytea[]) as pairs (key, mark)
  )`;
  const foundOrChanged = `found as (
        select key, part, current, earlier from changed
        union all
        select key, part, current, earlier from ${table} as known
        where key = any ($1::bytea[]) and key not in (select key from changed)
      )`;
  return {
    read: `with ${now} ${counts} left join ${table} as found using (key) order by place`,
    add: `with ${now},
      first as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select $3::bytea, part, 0, 0, ends_at from now where $3::bytea is not null
        on conflict (key) do update
          set part = excluded.part, ends_at = excluded.ends_at
          where known.part < excluded.part - 1
        returning key
      ),
      added as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select key, part, 1, 0, ends_at from unnest($1::bytea[]) as asked (key) cross join now
        where $3::bytea is null or exists (select from first)
        -- One order for all: two processes that count the same never wait for each other in a circle.
        order by key
        on conflict (key) do update set
          earlier = case
            when known.part >= excluded.part then known.earlier
            when known.part = excluded.part - 1 then known.current
            else 0 end,
          current = case when known.part >= excluded.part then known.current + 1 else 1 end,
          part = greatest(known.part, excluded.part),
          ends_at = greatest(known.ends_at, excluded.ends_at)
        returning key, part, current, earlier
      ),
      found as (
        select key, part, current, earlier from added
        union all
        select key, part, current, earlier from ${table} as known
        where key = any ($1::bytea[]) and not exists (select from added)
      )
      ${counts} left join found using (key) order by place`,
    addDistinct: `with ${now}, ${asked},
      marks as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select mark, part, 0, 0, ends_at from asked cross join now
        order by mark
        -- A text that moves from the earlier part has 1 in \`earlier\`.
        on conflict (key) do update set
          earlier = case when known.part = excluded.part - 1 then 1 else 0 end,
          part = excluded.part,
          ends_at = excluded.ends_at
          where known.part < excluded.part
        returning key as mark, earlier as moved
      ),
      changed as (
        insert into ${table} as known (key, part, current, earlier, ends_at)
        select key, part, 1, moved, ends_at from asked join marks using (mark) cross join now
        order by key
        on conflict (key) do update set
          earlier = greatest(0, case
            when known.part >= excluded.part then known.earlier
            when known.part = excluded.part - 1 then known.current
            else 0 end - excluded.earlier),
          current = case when known.part >= excluded.part then known.current + 1 else 1 end,
          part = greatest(known.part, excluded.part),
          ends_at = greatest(known.ends_at, excluded.ends_at)
        returning key, part, current, earlier
      ),
      ${foundOrChanged}
      ${counts} left join found using (key) order by place`,
    takeBack: `with ${now}, ${asked},
      -- One order for all, as above.
      marks as (
        select key, part from ${table} where key = any ($3::bytea[]) order by key for update
      ),
      deleted as (
        delete from ${table} as known using marks where known.key = marks.key
        returning known.key as mark, known.part as marked
      ),
      held as (
        select key from ${table}
        where key in (select key from asked join deleted using (mark)) order by key for update
      ),
      changed as (
        update ${table} as known set
          current = greatest(0, known.current - (known.part = marked)::integer),
          earlier = greatest(0, known.earlier - (known.part = marked + 1)::integer)
        from held join asked using (key) join deleted using (mark)
        where known.key = held.key
        returning known.key, known.part, known.current, known.earlier
      ),
      ${foundOrChanged}
      ${counts} left join found using (key) order by place`,
    prune: `delete from ${table} where key in (
      select key from ${table} where ends_at < clock_timestamp() limit $1 for update skip locked
    )`,
  };
}

import { sql } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { LogPart } from "./dialect.js";
import { codeOf } from "./store-error.js";

/**
 * Numbers of one day. A day begins by setting the sequence to its first number, so numbers ascend
 * whatever a clock shows, and a reader of the log needs a number only to find the day. The last day of
 * which every number is exact in JavaScript is in 2149.
 */
const DAY_NUMBERS = 2 ** 37;

const DAY_MS = 86_400_000;

/** Entries from before there were days, or from before the first one began. */
const BEFORE = "log_before";

const nameOf = (day: number): string => `log_${day}`;

/** Today in days since 1970, by the clock of the database. */
export async function today(database: Database): Promise<number> {
  const { rows } = await sql<{ day: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000 / ${DAY_MS}::bigint)::bigint as day
  `.execute(database);
  return rows[0]!.day;
}

/** Divides the log of a PostgreSQL database by days. The stored entries are not copied. */
export async function divideLog(
  database: Database,
  createIndexes: () => Promise<void>,
): Promise<void> {
  const day = await today(database);
  const before = sql.table(BEFORE);
  await sql`alter table log rename to ${before}`.execute(database);
  for (const index of ["log_key", "log_by_seq", "log_by_received_at"]) {
    const renamed = sql.ref(index.replace("log", BEFORE));
    await sql`alter index ${sql.ref(index)} rename to ${renamed}`.execute(database);
  }
  await sql`
    create table log (
      like ${before} including defaults, constraint log_key primary key (application_id, seq)
    ) partition by range (seq)
  `.execute(database);
  await sql`alter sequence log_seq_seq owned by log.seq`.execute(database);
  await createIndexes();
  await sql`
    alter table log attach partition ${before}
    for values from (minvalue) to (${sql.lit(day * DAY_NUMBERS)})
  `.execute(database);
  await createDays(database, day);
  await beginDay(database, day);
}

/**
 * Begins the day, if it has not begun, and creates the next days. A day begins only if its table
 * existed before, so a statement that is running already knows it. Until then, entries are added to
 * the day before: an append never finds that its day is missing.
 *
 * @param given Days since 1970; default today.
 */
export async function beginDays(database: Database, given?: number): Promise<void> {
  const day = given ?? (await today(database));
  if ((await logParts(database)).some(({ table }) => table === nameOf(day))) {
    await beginDay(database, day);
  }
  await createDays(database, day);
}

async function beginDay(database: Database, day: number): Promise<void> {
  await sql`
    select setval('log_seq_seq', ${day * DAY_NUMBERS}::bigint, false) from log_seq_seq
    where last_value < ${day * DAY_NUMBERS}::bigint
  `.execute(database);
}

/** Attached instead of created in place, which would wait for all readers and writers. */
async function createDays(database: Database, first: number): Promise<void> {
  const existing = new Set((await logParts(database)).map(({ table }) => table));
  for (let day = first; day < first + 3; day++) {
    if (existing.has(nameOf(day))) continue;
    const table = sql.table(nameOf(day));
    await atomically(database, async (within) => {
      await sql`create table ${table} (like log including defaults including constraints)`.execute(
        within,
      );
      await sql`
        alter table log attach partition ${table}
        for values from (${sql.lit(day * DAY_NUMBERS)}) to (${sql.lit((day + 1) * DAY_NUMBERS)})
      `.execute(within);
    });
  }
}

/** Returns the tables of which the log consists, oldest first. */
export async function logParts(database: Database): Promise<readonly LogPart[]> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'log'::regclass
    order by relname = ${BEFORE} desc, length(relname), relname
  `.execute(database);
  const { rows: last } = await sql<{
    seq: number;
  }>`select last_value as seq from log_seq_seq`.execute(database);
  const current = nameOf(Math.floor(last[0]!.seq / DAY_NUMBERS));
  const position = rows.findIndex(({ table }) => table === current);
  return rows.map(({ table }, index) =>
    table === BEFORE || index >= position
      ? { table }
      : { table, drop: () => dropDay(database, table) },
  );
}

/** PostgreSQL error of a lock that was not available in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Drops a day; does nothing if reports would have to wait, so that the next pruning drops it. */
async function dropDay(database: Database, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}
  `.execute(database);
  try {
    await atomically(database, async (within) => {
      await sql`set local lock_timeout = '300ms'`.execute(within);
      await sql`drop table ${sql.table(table)}`.execute(within);
    });
    return rows[0]!.count;
  } catch (error) {
    if (codeOf((error as Error).cause) === LOCK_NOT_AVAILABLE) return 0;
    throw error;
  }
}

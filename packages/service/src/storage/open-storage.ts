import { existsSync, rmSync, statSync } from "node:fs";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { makePrivate } from "@riskgate/core/internal";
import { sql } from "kysely";
import { noteCleanStop, takeCleanStop } from "./clean-stop.js";
import { takeDataDirectory } from "./data-directory.js";
import { createDatabaseClock, type DatabaseClock, singleClock } from "./database-clock.js";
import type { Database } from "./database.js";
import { type Clock, type Instant, instantOf, systemClock } from "../model/instant.js";
import { Leases } from "./leases.js";
import { isMigrated, migrate } from "./migrations.js";
import { readClock } from "./partitions.js";
import { openSqlite } from "./sqlite.js";
import { openPostgres, type PostgresOptions } from "./postgres.js";
import type { PostgresTimes } from "./postgres-times.js";
import { followClock, lastInstant } from "./clock-change.js";
import { createCircuitBreaker } from "./circuit-breaker.js";
import { createStorage } from "./create-storage.js";
import type { Storage } from "./storage.js";
import { postgresError } from "./postgres-error.js";
import { withPreparingLock } from "./advisory-lock.js";
import { isDamage, storeError } from "./store-error.js";

export interface StorageOptions {
  /** Clock for timestamps; default this machine's time. */
  readonly clock?: Clock;
  /** Monotonic clock in milliseconds, for leases; default `performance.now`. */
  readonly nowMs?: () => number;
  /** Maximum size of the database in bytes; beyond it, writes fail as on a full disk. Default no limit. */
  readonly maxBytes?: number;
}

/**
 * Opens the data directory, creating it if it does not exist.
 *
 * @throws {RiskGateError} CONFIG_INVALID if another process holds the directory, or the database is
 * damaged or was written by another version; STORE_FAILED if it cannot be read or written.
 */
export async function openStorage(dataDir: string, options: StorageOptions = {}): Promise<Storage> {
  const { clock = systemClock, nowMs = () => performance.now(), maxBytes } = options;
  const directory = await takeDataDirectory(dataDir);
  const path = directory.databasePath;
  let opened: Database;
  try {
    opened = await openTables(path, maxBytes, clock);
  } catch (error) {
    await directory.release();
    throw openingError(error, path);
  }
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await opened.destroy();
    noteCleanStop(path);
    await directory.release();
  };
  return {
    ...createStorage({ database: opened }, singleClock(clock), new Leases(nowMs)),
    close: () => (closing ??= close()),
  };
}

export interface PostgresStorageOptions
  extends Pick<StorageOptions, "clock" | "nowMs">, Pick<PostgresOptions, "times" | "onChanged"> {}

/** Together below the ten seconds within which a report is answered. */
const REPORT_TIMES = { connectMs: 2_000, statementMs: 4_000, answerMs: 1_000, queueMs: 3_000 };

/** A migration may read large tables, and other processes wait for it. */
const MIGRATING_MS = 3_600_000;

/** A lookup is answered within a second, or refused. */
const LOOKUP_TIMES = { connectMs: 2_000, statementMs: 1_000, answerMs: 500, queueMs: 800 };

const POSTGRES_URL = /^postgres(?:ql)?:\/\//;

/**
 * Opens a PostgreSQL database, and creates missing tables.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any other URL, or if another version wrote the database;
 * STORE_FAILED if the database cannot be reached, read or written.
 */
export async function openPostgresStorage(
  url: string,
  options: PostgresStorageOptions = {},
): Promise<Storage> {
  const { nowMs = () => performance.now(), times, onChanged } = options;
  const clock = options.clock ? singleClock(options.clock) : createDatabaseClock();
  const leases = new Leases(nowMs);
  const database = await openPostgresTables(url, clock, { times, onChanged });
  const opened = [database];
  const connect = async (limits?: Partial<PostgresTimes>): Promise<Database> => {
    const connection = await openPostgres(url, { times: { ...limits, ...times } });
    opened.push(connection);
    return connection;
  };
  const closeAll = (): Promise<unknown> => Promise.all(opened.map((one) => one.destroy()));
  let closing: Promise<unknown> | undefined;
  try {
    const connections = {
      database,
      appending: await connect(REPORT_TIMES),
      reading: await connect(LOOKUP_TIMES),
      transacting: await connect(),
    };
    const breaker = createCircuitBreaker(times?.optionalAnswerMs);
    return {
      ...createStorage(connections, clock, leases, breaker),
      close: async () => void (await (closing ??= closeAll())),
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Checks that a URL is a PostgreSQL URL. @throws {RiskGateError} CONFIG_INVALID */
export function checkPostgresUrl(url: string): void {
  if (POSTGRES_URL.test(url)) return;
  throw new RiskGateError("CONFIG_INVALID", "expected the URL of a PostgreSQL database", {
    hint: "Write it as postgres://user:password@host:5432/name",
  });
}

export async function openPostgresTables(
  url: string,
  clock: DatabaseClock,
  options: PostgresOptions = {},
): Promise<Database> {
  checkPostgresUrl(url);
  const times = { statementMs: MIGRATING_MS, ...options.times };
  const database = await openPostgres(url, { times });
  try {
    await readClock(database, clock);
    await withPreparingLock(database, (within) => prepare(within, clock.now));
  } catch (error) {
    throw postgresError(error);
  } finally {
    await database.destroy();
  }
  return openPostgres(url, options);
}

/**
 * Opens or creates the database. A marker file exists until the tables are created: if a database has
 * no tables and no marker, it is not new but has lost them.
 */
export async function openTables(
  path: string,
  maxBytes: number | undefined,
  clock: Clock,
): Promise<Database> {
  const mark = `${path}.new`;
  if (!existsSync(path)) makePrivate(mark);
  // SQLite would create the file readable by others; this also covers a restored backup.
  makePrivate(path);
  const isNew = existsSync(mark);
  if (!isNew && statSync(path).size === 0) throw damage(path, new Error("the file is empty"));
  const database = openSqlite({ path, maxBytes });
  try {
    if (!takeCleanStop(path)) await checkDatabase(database, path);
    if (!isNew && !(await isMigrated(database))) throw damage(path, new Error("it has no tables"));
    await prepare(database, clock);
    rmSync(mark, { force: true });
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Difference by which the clocks of two processes may have been compared. */
const TOLERANCE: Instant = instantOf(1_000);

/** Migrates the tables, and adjusts due times if the clock was set back while the service was stopped. */
async function prepare(database: Database, clock: Clock): Promise<void> {
  await migrate(database);
  const now = clock();
  const last = await lastInstant(database);
  if (last - now > TOLERANCE) await followClock(database, now - last, now);
}

/** Checks the whole database for damage before anything relies on it. */
async function checkDatabase(database: Database, path: string): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(database);
  const found = rows[0]?.quick_check;
  if (found !== "ok") throw damage(path, new Error(`quick_check: ${String(found)}`));
}

function openingError(error: unknown, path: string): RiskGateError {
  const cause = isRiskGateError(error) ? (error.cause ?? error) : error;
  return isDamage(cause) ? damage(path, cause) : storeError(error);
}

function damage(path: string, cause: unknown): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", `the database ${path} is damaged`, {
    cause,
    hint: "Restore a backup, or move the file away to start with an empty database",
  });
}

import { existsSync, rmSync, statSync } from "node:fs";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { makePrivate } from "@riskgate/core/internal";
import { sql } from "kysely";
import { takeDataDirectory } from "./data-directory.js";
import { type Database, openDatabase } from "./database.js";
import { isPostgres } from "./engine.js";
import { type Clock, type Instant, instantOf, systemClock } from "../model/instant.js";
import { Leases } from "./leases.js";
import { isMigrated, migrate } from "./migrations.js";
import { openPostgres, type PostgresOptions } from "./postgres.js";
import { followClock, lastInstant } from "./clock-change.js";
import { createCircuitBreaker } from "./circuit-breaker.js";
import { createStorage } from "./create-storage.js";
import type { Storage } from "./storage.js";
import { postgresError } from "./postgres-error.js";
import { withWriterLock } from "./writer-lock.js";
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
    directory.release();
    throw openingError(error, path);
  }
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await opened.destroy();
    directory.release();
  };
  return { ...createStorage(opened, clock, new Leases(nowMs)), close: () => (closing ??= close()) };
}

export interface PostgresStorageOptions
  extends Pick<StorageOptions, "clock" | "nowMs">, Pick<PostgresOptions, "times" | "onChanged"> {}

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
  const { clock = systemClock, nowMs = () => performance.now(), times, onChanged } = options;
  const leases = new Leases(nowMs);
  const onLost = (): void => leases.applicationLocks.lose();
  const database = await openPostgresTables(url, clock, { times, onLost, onChanged });
  let ofTurns: Database;
  try {
    ofTurns = await openPostgres(url, { times });
  } catch (error) {
    await database.destroy();
    throw error;
  }
  let closing: Promise<unknown> | undefined;
  return {
    ...createStorage(database, clock, leases, {
      ofTurns,
      breaker: createCircuitBreaker(times?.optionalAnswerMs),
    }),
    close: async () =>
      void (await (closing ??= Promise.all([ofTurns.destroy(), database.destroy()]))),
  };
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
  clock: Clock,
  options: PostgresOptions = {},
): Promise<Database> {
  checkPostgresUrl(url);
  const database = await openPostgres(url, options);
  try {
    await withWriterLock(database, (within) => prepare(within, clock));
    return database;
  } catch (error) {
    await database.destroy();
    throw postgresError(error);
  }
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
  const database = openDatabase({ path, maxBytes });
  try {
    await checkDatabase(database, path);
    if (!isNew && !(await isMigrated(database))) throw damage(path, new Error("it has no tables"));
    await prepare(database, clock);
    rmSync(mark, { force: true });
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Tolerated clock difference between machines that share a database. */
const SKEW: Instant = instantOf(60_000);

/** Migrates the tables, and adjusts due times if the clock was set back while the service was stopped. */
async function prepare(database: Database, clock: Clock): Promise<void> {
  await migrate(database);
  const now = clock();
  const last = await lastInstant(database);
  if (last - now > (isPostgres(database) ? SKEW : 0)) await followClock(database, now - last, now);
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

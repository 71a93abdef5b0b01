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

/** Options of {@link openStorage}. */
export interface StorageOptions {
  /** What stamps the entries; default the time of this machine. */
  readonly clock?: Clock;
  /** Monotonic clock in milliseconds, for leases; default `performance.now`. */
  readonly nowMs?: () => number;
  /** Most bytes of the database; then it behaves as on a full disk. Default no limit. */
  readonly maxBytes?: number;
}

/**
 * Opens the data directory, and creates it if it does not exist.
 *
 * @throws {RiskGateError} CONFIG_INVALID if another process holds it, or its database is damaged or
 * was written by another version; STORE_FAILED if it cannot be read or written.
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

/** Options of {@link openPostgresStorage}. */
export interface PostgresStorageOptions
  extends Pick<StorageOptions, "clock" | "nowMs">, Pick<PostgresOptions, "times" | "onChanged"> {}

/** Start of the URL of a database of PostgreSQL. */
const POSTGRES_URL = /^postgres(?:ql)?:\/\//;

/**
 * Opens a database of PostgreSQL, and creates missing tables.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any other URL, or if another version wrote it;
 * STORE_FAILED when it cannot be reached, read or written.
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

/** @throws {RiskGateError} CONFIG_INVALID */
export function checkPostgresUrl(url: string): void {
  if (POSTGRES_URL.test(url)) return;
  throw new RiskGateError("CONFIG_INVALID", "expected the URL of a database of PostgreSQL", {
    hint: "Write it as postgres://user:password@host:5432/name",
  });
}

/** Opens a database of PostgreSQL with the tables of this version. */
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
 * Opens the database, or creates it. A mark is beside it until it has its
 * tables: without that mark, a file without tables has lost them and is not new.
 */
export async function openTables(
  path: string,
  maxBytes: number | undefined,
  clock: Clock,
): Promise<Database> {
  const mark = `${path}.new`;
  if (!existsSync(path)) makePrivate(mark);
  // Before SQLite makes it, which would let others read it; a copy that was put back is one as well.
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

/** By how much the clocks of machines that share a database may differ. */
const SKEW: Instant = instantOf(60_000);

/** Brings tables up to date, and what waits in them under a clock that was set back meanwhile. */
async function prepare(database: Database, clock: Clock): Promise<void> {
  await migrate(database);
  const now = clock();
  const last = await lastInstant(database);
  if (last - now > (isPostgres(database) ? SKEW : 0)) await followClock(database, now - last, now);
}

/** Looks through the whole database for damage, before anything relies on it. */
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

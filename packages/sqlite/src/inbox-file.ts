import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { RiskGateError } from "@riskgate/core";
import { makePrivate, makePrivateDirectory, replaceFile } from "@riskgate/core/internal";
import Libsql from "libsql";
import { sqliteCodeOf, storeError } from "./store-error.js";

/** An inbox's database, which this process owns until it is closed. */
export interface InboxFile {
  readonly database: Libsql.Database;
  close(): void;
}

export interface InboxFileSettings {
  readonly directory: string;
  /** How long to wait for another process to release the directory, in milliseconds. */
  readonly lockTimeoutMs: number;
}

const VERSION = 1;

/** Pages in the log before a checkpoint, which waits for the disk twice: 32 MiB. */
const LOG_PAGES = 8_192;

/** Interval between attempts to lock a directory that another process holds, in milliseconds. */
const LOCK_RETRY_MS = 100;

const TABLES = `
  create table items (
    id integer primary key,
    secret_id text not null,
    -- Place in its delivery of an element that is tried by itself; null for a delivery.
    first_index integer,
    -- Place of the first element that has not been handled.
    at integer not null default 0,
    -- How often the handling of that element was begun and did not succeed.
    starts integer not null default 0,
    postponed integer not null default 0,
    -- 0: waits, 1: the element in its place is being handled, 2: parked.
    state integer not null default 0,
    -- Its process ended while it was handled.
    suspect integer not null default 0,
    -- When it is to be handled; when it was parked.
    due_ms integer not null,
    reason text
  );
  create index items_due on items (state, suspect, due_ms, id);
  -- Apart, so that a change of an item does not write its body again.
  create table bodies (id integer primary key, body blob not null);
`;

/**
 * Opens the inbox in a directory, and creates it if missing. The lock is an operating-system lock,
 * held by an open transaction on a separate file: it always ends with the process, so no stale lock
 * remains.
 * @returns Undefined if `signal` fires.
 * @throws {RiskGateError} CONFIG_INVALID if another process holds the directory or a later version
 * wrote it; STORE_FAILED if it cannot be read or written.
 */
export async function openInboxFile(
  { directory, lockTimeoutMs }: InboxFileSettings,
  signal: AbortSignal,
): Promise<InboxFile | undefined> {
  const endMs = performance.now() + lockTimeoutMs;
  try {
    // It contains personal data from senders.
    await makePrivateDirectory(directory);
    for (;;) {
      if (signal.aborted) return undefined;
      const lock = takeLock(join(directory, "lock"));
      if (lock) return await openLocked(directory, lock);
      if (performance.now() >= endMs) throw await heldError(directory);
      await pause(LOCK_RETRY_MS);
    }
  } catch (cause) {
    throw storeError(cause);
  }
}

function takeLock(path: string): Libsql.Database | undefined {
  makePrivate(path);
  const lock = new Libsql(path);
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (cause) {
    lock.close();
    if (sqliteCodeOf(cause) === "SQLITE_BUSY") return undefined;
    throw cause;
  }
}

async function openLocked(directory: string, lock: Libsql.Database): Promise<InboxFile> {
  let database: Libsql.Database | undefined;
  try {
    const holder = { pid: process.pid, since: new Date().toISOString() };
    await replaceFile(join(directory, "holder.json"), [`${JSON.stringify(holder)}\n`], 0o600);
    makePrivate(join(directory, "inbox.db"));
    database = new Libsql(join(directory, "inbox.db"));
    database.pragma("journal_mode = WAL");
    database.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
    makeTables(database, directory);
  } catch (cause) {
    database?.close();
    lock.close();
    throw cause;
  }
  const opened = database;
  return {
    database: opened,
    close() {
      try {
        // The files stay open until the statements are garbage-collected, so empty the log now.
        opened.pragma("wal_checkpoint(TRUNCATE)");
      } catch {
        // If the disk is full, the log remains and is read the next time.
      }
      opened.close();
      lock.exec("rollback");
      lock.close();
    },
  };
}

function makeTables(database: Libsql.Database, directory: string): void {
  const [{ user_version: version }] = database.pragma("user_version") as [{ user_version: number }];
  if (version === VERSION) return;
  if (version > VERSION) {
    throw new RiskGateError(
      "CONFIG_INVALID",
      `the inbox in ${directory} was written by a later version of @riskgate/sqlite`,
      { hint: "Install that version, or give this one a different directory" },
    );
  }
  database.exec(`begin; ${TABLES} pragma user_version = ${VERSION}; commit`);
}

async function heldError(directory: string): Promise<RiskGateError> {
  return new RiskGateError(
    "CONFIG_INVALID",
    `the inbox in ${directory} is in use by ${await nameHolder(directory)}`,
    { hint: "Only one process can use an inbox: stop the other one, or use a different directory" },
  );
}

async function nameHolder(directory: string): Promise<string> {
  try {
    const text = await readFile(join(directory, "holder.json"), "utf8");
    const { pid, since } = JSON.parse(text) as Record<string, unknown>;
    return `process ${String(pid)}, since ${String(since)}`;
  } catch {
    // The holder has not yet written its name.
    return "another process";
  }
}

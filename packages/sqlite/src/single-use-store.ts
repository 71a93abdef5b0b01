import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { SingleUseStore } from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import type Libsql from "libsql";
import { openDatabase } from "./open-database.js";
import { sqliteCodeOf } from "./store-error.js";

export interface SqliteSingleUseStoreOptions {
  /** Path of the database, on a local disk; created with its directory if missing. */
  readonly path: string;
  /** Milliseconds to wait for other processes that use the file, default 500. */
  readonly timeoutMs?: number;
}

export interface SqliteSingleUseStore extends SingleUseStore {
  /** Closes the file; a later call opens it again. */
  close(): Promise<void>;
}

type Token = Parameters<SingleUseStore["use"]>[0];

/** More than a call adds, so that removals catch up, yet few enough not to block for long. */
const MAX_REMOVED = 100;

/** Interval between attempts while another process writes, in milliseconds. */
const RETRY_MS = 5;

const TABLES = `
  create table if not exists challenge_tokens (
    network text not null,
    nonce text not null,
    is_solved integer not null,
    ends_ms integer not null,
    primary key (network, nonce)
  ) without rowid;
  create index if not exists challenge_tokens_end on challenge_tokens (ends_ms);
`;

const EXPIRED = `select network, nonce from challenge_tokens where ends_ms <= ? limit ${MAX_REMOVED}`;
const REMOVE = `delete from challenge_tokens where (network, nonce) in (${EXPIRED})`;
const COUNT = `
  select count(*) as total, total(is_solved) as solved, total(nonce = ?) as known
  from challenge_tokens where network = ? and ends_ms > ?
`;
const ADD = `
  insert or replace into challenge_tokens (network, nonce, is_solved, ends_ms) values (?, ?, 0, ?)
`;
const SOLVE = "update challenge_tokens set is_solved = 1 where network = ? and nonce = ?";

/**
 * Creates a store of used challenge tokens in an SQLite file, for the option `challenge.seen`. The
 * processes of one machine may share the file, and tokens stay used after a restart.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option.
 */
export function createSqliteSingleUseStore(
  options: SqliteSingleUseStoreOptions,
): SqliteSingleUseStore {
  const { path, timeoutMs } = readOptions("createSqliteSingleUseStore", options, (given) => {
    const file = given.string("path");
    if (file === undefined || file === "") return given.refuse("path", "the path of a file", file);
    return { path: resolve(file), timeoutMs: given.durationMs("timeoutMs", 500) };
  });
  let opening: Promise<Libsql.Database> | undefined;
  const open = (): Promise<Libsql.Database> =>
    (opening ??= openDatabase(path, (database) => database.exec(TABLES)).catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));

  /** Runs a transaction once no other process writes. SQLite itself would wait in the event loop. */
  async function write<Result>(work: (database: Libsql.Database) => Result): Promise<Result> {
    const endMs = performance.now() + timeoutMs;
    for (;;) {
      try {
        const database = await open();
        return database.transaction(() => work(database)).immediate();
      } catch (error) {
        if (!sqliteCodeOf(error).startsWith("SQLITE_BUSY") || performance.now() >= endMs) {
          throw error;
        }
      }
      await pause(RETRY_MS);
    }
  }

  return {
    evicts: false,
    use: async (token) => write((database) => useIn(database, token)),
    async solve({ nonce, network }) {
      await write((database) => database.prepare(SOLVE).run(network, nonce));
    },
    async close() {
      const opened = opening;
      opening = undefined;
      (await opened?.catch(() => undefined))?.close();
    },
  };
}

function useIn(database: Libsql.Database, token: Token): "new" | "used" | "full" {
  const { nonce, network, ttlMs, maxUnsolved, maxTotal } = token;
  const nowMs = Date.now();
  database.prepare(REMOVE).run(nowMs);
  const { total, solved, known } = database.prepare(COUNT).get(nonce, network, nowMs) as {
    readonly total: number;
    readonly solved: number;
    readonly known: number;
  };
  if (known > 0) return "used";
  if (total - solved >= maxUnsolved || total >= maxTotal) return "full";
  database.prepare(ADD).run(network, nonce, Math.ceil(nowMs + ttlMs));
  return "new";
}

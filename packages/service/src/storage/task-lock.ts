import type { Task } from "./storage.js";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import { unlock } from "./writer-lock.js";

/** Namespace of these advisory locks: an arbitrary number that nobody else uses. */
const KIND = 602074;

/** Tasks that one process at a time runs for all, with their lock numbers. */
const TASKS = { feeds: 1, pruning: 2 } as const;
/** Interval at which a process retries while another one holds the lock. */
const ASK_MS = 1_000;

/**
 * Runs a task that no other process on the database runs at the same time. The connection remains free
 * for other queries in the meantime; if it closes, the lock is released.
 *
 * @returns undefined if the signal aborted the wait.
 */
export async function withTaskLock<T>(
  database: Database,
  task: Task,
  work: () => Promise<T>,
  signal: AbortSignal,
): Promise<T | undefined> {
  if (!isPostgres(database)) return work();
  while (!(await isTaken(database, task))) {
    try {
      await pause(ASK_MS, undefined, { signal, ref: false });
    } catch {
      return undefined;
    }
  }
  try {
    return await work();
  } finally {
    await unlock(database, sql`select pg_advisory_unlock(${KIND}, ${TASKS[task]})`);
  }
}

async function isTaken(database: Database, task: Task): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${KIND}, ${TASKS[task]}) as taken
  `.execute(database);
  return rows[0]!.taken;
}

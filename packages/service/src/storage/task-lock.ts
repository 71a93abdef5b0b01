import type { Task } from "./storage.js";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import { unlock } from "./writer-lock.js";

/** Sets these locks apart from others in the database; any number that nobody else uses. */
const KIND = 602074;

/** What one process at a time does for all, with the numbers of its locks. */
const TASKS = { feeds: 1, pruning: 2 } as const;
/** How often a process asks again while another one does it. */
const ASK_MS = 1_000;

/**
 * Does something that no other process on the database does at the same time. The connection stays
 * free for everything else meanwhile, and the lock goes with it.
 *
 * @returns undefined when the signal ended the waiting.
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

import { type Clock, instantOf } from "../model/instant.js";
import type { Task } from "./storage.js";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";
import { unlock } from "./advisory-lock.js";

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
  if (!dialectOf(database).isShared) return work();
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

/**
 * Runs a task under its lock, unless it has ended in any process within an interval. The time is
 * stored, so processes that restart more often do not put the task off.
 */
export async function runWhenDue(
  database: Database,
  clock: Clock,
  { task, everyMs }: { readonly task: Task; readonly everyMs: number },
  work: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const run = async (): Promise<void> => {
    const recent = await database
      .selectFrom("last_runs")
      .select("ended_at")
      .where("task", "=", task)
      .where("ended_at", ">", clock() - instantOf(everyMs))
      // A later time is of a clock that was set back since.
      .where("ended_at", "<=", clock())
      .executeTakeFirst();
    if (recent) return;
    await work();
    if (signal.aborted) return;
    const ended = { ended_at: clock() };
    await database
      .insertInto("last_runs")
      .values({ task, ...ended })
      .onConflict((conflict) => conflict.column("task").doUpdateSet(ended))
      .execute();
  };
  await withTaskLock(database, task, run, signal);
}

async function isTaken(database: Database, task: Task): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_lock(${KIND}, ${TASKS[task]}) as taken
  `.execute(database);
  return rows[0]!.taken;
}

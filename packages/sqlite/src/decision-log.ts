import { resolve } from "node:path";
import type { QueuedDecisionLog, QueuedLogOptions } from "@riskgate/core/log";
import { readOptions } from "@riskgate/core/adapter";
import { createQueuedLog, readQueuedLog } from "@riskgate/core/internal";
import { createDecisionTable } from "./decision-table.js";

export interface SqliteDecisionLogOptions extends QueuedLogOptions {
  /** Path of the database, on a local disk; created with its directory if missing. */
  readonly path: string;
  /** How long decisions are stored, in days; default 90. */
  readonly keepDays?: number;
}

/**
 * Creates a decision log in the table `decisions` of an SQLite file, for a gate's option `log`. It
 * contains keyed digests and no plain addresses. Several processes may share a file.
 *
 * @throws {RiskGateError} CONFIG_INVALID. No method of the log throws or rejects.
 */
export function createSqliteDecisionLog(options: SqliteDecisionLogOptions): QueuedDecisionLog {
  const [settings, table] = readOptions("createSqliteDecisionLog", options, (given) => {
    const path = given.string("path");
    if (path === undefined || path === "") {
      return given.refuse("path", "the path of a file", path);
    }
    const place = { path: resolve(path), keepDays: given.integer("keepDays", 90, { max: 36_500 }) };
    return [readQueuedLog(given), place] as const;
  });
  return createQueuedLog(settings, createDecisionTable(table));
}

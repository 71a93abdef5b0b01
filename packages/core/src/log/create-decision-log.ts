import { resolve } from "node:path";
import { readOptions } from "../base/options.js";
import { createLogFile } from "./log-file.js";
import { type QueuedLogOptions, readQueuedLog } from "./log-options.js";
import { createQueuedLog, type QueuedDecisionLog } from "./queued-log.js";

export interface DecisionLogOptions extends QueuedLogOptions {
  /**
   * Path of the file. If missing, it is created with its directory, readable by its owner only.
   * Each process needs a separate file.
   */
  readonly path: string;
  /** Maximum file size; a full file becomes `path.1`, and that `path.2`. Default 256 MiB. */
  readonly maxFileBytes?: number;
  /** Number of renamed files to keep; older ones are removed. Default 8. */
  readonly keepFiles?: number;
}

/**
 * Creates a decision log in a file of JSON lines, for a gate's option `log`. It contains keyed
 * digests instead of plain addresses. Records are written in batches in the background. If the
 * process exits without calling `close()`, pending records are lost.
 *
 * @throws {RiskGateError} CONFIG_INVALID. No method of the log throws or rejects.
 *
 * @example
 * const log = createDecisionLog({ path: "logs/decisions.jsonl", secret });
 * app.post("/signup", express.json(), riskGate({ lookup, log }), handler);
 * await log.close();
 */
export function createDecisionLog(options: DecisionLogOptions): QueuedDecisionLog {
  const [settings, file] = readOptions("createDecisionLog", options, (given) => {
    const path = given.string("path");
    if (path === undefined || path === "") {
      return given.refuse("path", "the path of a file", path);
    }
    const place = {
      // The working directory may change before the first write.
      path: resolve(path),
      maxFileBytes: given.integer("maxFileBytes", 256 * 1024 * 1024, { min: 1024 * 1024 }),
      keepFiles: given.integer("keepFiles", 8, { min: 0, max: 1_000 }),
    };
    return [readQueuedLog(given), place] as const;
  });
  return createQueuedLog(settings, createLogFile(file));
}

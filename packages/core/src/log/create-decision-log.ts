import { resolve } from "node:path";
import { readOptions } from "../base/options.js";
import { createLogFile } from "./log-file.js";
import { type QueuedLogOptions, readQueuedLog } from "./log-options.js";
import { createQueuedLog, type QueuedDecisionLog } from "./queued-log.js";

/** Options of {@link createDecisionLog}. */
export interface DecisionLogOptions extends QueuedLogOptions {
  /**
   * The file. It is created with its directory if it does not exist, readable by its owner only. Each
   * process needs a separate file.
   */
  readonly path: string;
  /** Before a file becomes larger, it is renamed to `path.1`, and that to `path.2`. Default 256 MiB. */
  readonly maxFileBytes?: number;
  /** Number of renamed files to keep; older ones are removed. Default 8. */
  readonly keepFiles?: number;
}

/**
 * Makes a decision log in a file, one JSON object a line: the option `log` of a gate. It contains
 * keyed digests and no plain address. Records are written in batches and in the background. A process
 * that ends without `close()` loses the records that wait.
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

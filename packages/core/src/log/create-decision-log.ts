import { resolve } from "node:path";
import { readOptions } from "../base/options.js";
import { createLogFile } from "./log-file.js";
import { type QueuedLogOptions, readQueuedLog } from "./log-options.js";
import { createQueuedLog, type QueuedDecisionLog } from "./queued-log.js";

/** Options of {@link createDecisionLog}. */
export interface DecisionLogOptions extends QueuedLogOptions {
  /**
   * The file, made with its directory where there is none, and readable by its owner only. Each
   * process needs one of its own.
   */
  readonly path: string;
  /** A file that would become larger is put away as `path.1`, and that as `path.2`. Default 256 MiB. */
  readonly maxFileBytes?: number;
  /** Files that are kept beside the one in use; older ones are removed. Default 8. */
  readonly keepFiles?: number;
}

/**
 * Make a log of decisions in a file, one JSON object a line: the option `log` of a gate. It holds
 * keyed digests and no plain address. Records are written in batches, in turns of the event loop that
 * belong to no request; what waits when the process ends without `close()` is lost.
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
      // Whatever the working directory is when it is written.
      path: resolve(path),
      maxFileBytes: given.integer("maxFileBytes", 256 * 1024 * 1024, { min: 1024 * 1024 }),
      keepFiles: given.integer("keepFiles", 8, { min: 0, max: 1_000 }),
    };
    return [readQueuedLog(given), place] as const;
  });
  return createQueuedLog(settings, createLogFile(file));
}

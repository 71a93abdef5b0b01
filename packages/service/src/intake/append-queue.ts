import { letRequestsRun } from "../base/let-requests-run.js";
import type { NewLogEntry } from "../model/log-entry.js";
import type { Log } from "../storage/log-store.js";
import type { StepSizes } from "./step-sizes.js";

/** Appends entries to the log of an application; undefined if the application is unknown. */
export type AppendQueue = (
  applicationId: string,
  entries: readonly NewLogEntry[],
) => Promise<readonly (number | undefined)[] | undefined>;

interface Waiting {
  readonly applicationId: string;
  readonly entries: readonly NewLogEntry[];
  readonly resolve: (seqs: readonly (number | undefined)[] | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates the queue. One statement runs at a time, and the next one appends everything that arrived
 * in the meantime: the more reports arrive, the less each costs.
 */
export function createAppendQueue(
  { append }: Pick<Log, "append">,
  { appended: most }: Pick<StepSizes, "appended">,
): AppendQueue {
  const waiting: Waiting[] = [];
  let isRunning = false;

  const next = (): readonly Waiting[] => {
    let count = 0;
    let size = 0;
    for (const { entries } of waiting) {
      if (count > 0 && size + entries.length > most) break;
      size += entries.length;
      count++;
    }
    return waiting.splice(0, count);
  };
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const together = next();
      try {
        const appended = await append(together);
        for (const [index, { resolve }] of together.entries()) resolve(appended[index]);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
      await letRequestsRun();
    }
    isRunning = false;
  };

  return (applicationId, entries) =>
    new Promise((resolve, reject) => {
      waiting.push({ applicationId, entries, resolve, reject });
      if (!isRunning) void run();
    });
}

import { isThenable } from "../model/awaitable.js";
import { monotonicMs } from "../base/clock.js";
import { startDeadline } from "../base/deadline.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import type { Failed } from "../model/decision.js";
import { NOT_GIVEN } from "./evidence.js";

/** Time in which a promise of the application must settle. */
export interface TimeLeft {
  readonly ms: number;
  /** The option that sets it, for the message. */
  readonly option: "budgetMs" | "challenge.timeoutMs";
}

/**
 * Runs code of the application: gives what it gives, or NOT_GIVEN, once the failure is reported.
 *
 * @param left Time in which a promise must settle, by default any.
 */
export type HookRun = (name: string, call: () => unknown, left?: TimeLeft) => unknown;

/** Make the function that runs the hooks of one gate. */
export function createHookRun(report: ErrorHook): HookRun {
  return (name, call, left) => {
    const failed = (cause: unknown): Failed => {
      report(new RiskGateError("HOOK_FAILED", `\`${name}\` failed`, { cause }));
      return NOT_GIVEN;
    };
    try {
      const result = call();
      if (!isThenable(result)) return result;
      return (left ? settled(result, name, left) : Promise.resolve(result)).catch(failed);
    } catch (cause) {
      return failed(cause);
    }
  };
}

/** What a promise of the application gives; rejects where it does not settle in time. */
export function settled<T>(result: PromiseLike<T>, name: string, left: TimeLeft): Promise<T> {
  return new Promise((resolve, reject) => {
    const stopDeadline = startDeadline(left.ms, () => {
      reject(new TypeError(`\`${name}\` did not settle within \`${left.option}\``));
    });
    Promise.resolve(result).then(resolve, reject).finally(stopDeadline);
  });
}

/** Tells what is left of a time, at least 1 ms: what answers at once is still heard. */
export function countdown(ms: number): () => number {
  const endMs = monotonicMs() + ms;
  return () => Math.max(1, endMs - monotonicMs());
}

import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { type Awaitable, isThenable } from "../base/awaitable.js";

/** A commit or a release; nothing where there is no store. */
export type SeenWrite = () => Awaitable<void> | undefined;

/**
 * Write to the seen store. A commit or a release that fails costs at most a second run later:
 * reported, and no reason to fail.
 *
 * @returns Nothing where the store is done at once.
 */
export function writeSeen(write: SeenWrite, report: ErrorHook): Promise<void> | undefined {
  const failed = (cause: unknown): void => report(storeFailed(cause));
  try {
    const writing = write();
    return isThenable(writing) ? Promise.resolve(writing).then(undefined, failed) : undefined;
  } catch (cause) {
    failed(cause);
    return undefined;
  }
}

/** The error for a seen store that throws, rejects or gives nonsense. */
export function storeFailed(cause: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the seen store failed", { cause });
}

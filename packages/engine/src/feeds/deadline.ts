import { RiskGateError } from "@riskgate/core";
import { startDeadline } from "@riskgate/core/internal";

export interface Deadline {
  readonly timeoutMs: number;
  /** The caller's own reason to abort. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits for work that accepts a signal, never longer than the deadline even if it ignores it.
 *
 * @throws {RiskGateError} TIMEOUT, ABORTED; and errors thrown by the work.
 */
export async function withDeadline<T>(
  { timeoutMs, signal }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener("abort", () => {
      reject(controller.signal.reason as RiskGateError);
    });
  });
  const abort = (): void => {
    controller.abort(new RiskGateError("ABORTED", "the caller's signal was aborted"));
  };
  const expire = (): void => {
    const message = `expected the whole list within ${timeoutMs} ms`;
    const hint = "Raise `timeoutMs` of the updater, or check the server of the list";
    controller.abort(new RiskGateError("TIMEOUT", message, { hint }));
  };
  const stop = startDeadline(timeoutMs, expire, true);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    return await Promise.race([work(controller.signal), ended]);
  } catch (error) {
    // Work that reacts to the signal fails with its own error.
    if (controller.signal.aborted) throw controller.signal.reason;
    throw error;
  } finally {
    stop();
    signal?.removeEventListener("abort", abort);
  }
}

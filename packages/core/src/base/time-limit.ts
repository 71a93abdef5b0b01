import { monotonicMs } from "./clock.js";

/** Time within which a promise from the application must settle. */
export interface TimeLimit {
  readonly ms: number;
  readonly option: string;
}

/**
 * Calls `onExpire` after `ms` milliseconds.
 *
 * @param keepsProcess Whether the timer keeps the process running.
 * @returns Stops the deadline; has no effect if it has already stopped or expired.
 */
export function startDeadline(
  ms: number,
  onExpire: () => void,
  keepsProcess: boolean = false,
): () => void {
  const timer = setTimeout(onExpire, ms);
  // Outside Node, a timer is a number.
  if (!keepsProcess) (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
}

/**
 * Settles like `promise` or, after `ms` milliseconds, with the result or error of `late`. Any later
 * outcome of the promise is ignored.
 * @param late By default it throws.
 * @param keepsProcess Whether the timer keeps the process running.
 */
export function limitTime<T, Late = never>(
  promise: PromiseLike<T>,
  ms: number,
  late: () => Late | PromiseLike<Late> = () => {
    throw new Error(`no response within ${ms} ms`);
  },
  keepsProcess: boolean = false,
): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    // Inside a promise, because `late` may throw.
    const expire = (): void => resolve(new Promise((settle) => settle(late())));
    const stop = startDeadline(ms, expire, keepsProcess);
    Promise.resolve(promise).then(resolve, reject).finally(stop);
  });
}

/** Starts a countdown from `ms`. The time left is at least 1, so an immediate result counts. */
export function countdown(ms: number): () => number {
  const endMs = monotonicMs() + ms;
  return () => Math.max(1, endMs - monotonicMs());
}

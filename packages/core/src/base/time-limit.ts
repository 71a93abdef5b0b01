import { monotonicMs } from "./clock.js";

/** Time in which a promise of the application must settle. */
export interface TimeLimit {
  readonly ms: number;
  /** Option that sets it, for the message. */
  readonly option: string;
}

/**
 * Calls `onExpire` after `ms` milliseconds.
 *
 * @param keepsProcess Whether the process keeps running for it.
 * @returns Stops the deadline; to stop it twice, or too late, does nothing.
 */
export function startDeadline(
  ms: number,
  onExpire: () => void,
  keepsProcess: boolean = false,
): () => void {
  const timer = setTimeout(onExpire, ms);
  // Without Node a timer is a number.
  if (!keepsProcess) (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
}

/**
 * Settles as `promise` does or, after `ms` milliseconds, as `late` returns or throws. What the promise
 * does after that is ignored.
 *
 * @param late By default rejects.
 * @param keepsProcess Whether the process keeps running until then.
 */
export function limitTime<T, Late = never>(
  promise: PromiseLike<T>,
  ms: number,
  late: () => Late | PromiseLike<Late> = () => {
    throw new Error(`no answer within ${ms} ms`);
  },
  keepsProcess: boolean = false,
): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    // In a promise, because `late` may throw.
    const expire = (): void => resolve(new Promise((settle) => settle(late())));
    const stop = startDeadline(ms, expire, keepsProcess);
    Promise.resolve(promise).then(resolve, reject).finally(stop);
  });
}

/** Returns a function for the time left of `ms`: at least 1, so that an immediate answer counts. */
export function countdown(ms: number): () => number {
  const endMs = monotonicMs() + ms;
  return () => Math.max(1, endMs - monotonicMs());
}

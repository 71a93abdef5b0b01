/** A value now, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Whether a value must be waited for. What need not be waited for costs no turn of the event loop, and
 * a promise of another library counts as well.
 */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Continues with a value: at once, or once its promise has resolved. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}

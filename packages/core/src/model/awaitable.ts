/** A value now, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** Returns true if a value must be awaited, including promises of other libraries. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** Returns several values: immediately, or once all their promises have resolved. */
export function allOf<T>(values: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  return values.some(isThenable) ? Promise.all(values) : (values as readonly T[]);
}

/** Calls `next` with a value: immediately, or once its promise has resolved. */
export function after<T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}

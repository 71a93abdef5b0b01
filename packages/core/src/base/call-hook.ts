import { type Awaitable, isThenable } from "../model/awaitable.js";
import type { ErrorHook } from "./error-report.js";
import { isRiskGateError, RiskGateError } from "./errors.js";
import { limitTime, type TimeLimit } from "./time-limit.js";

/** Settings for calling a hook: a function supplied by the application or a third party. */
export interface HookCall<T> {
  readonly report: ErrorHook;
  /** Validates and converts the result, or throws. By default any result is accepted. */
  readonly expects?: (result: unknown) => T;
  readonly otherwise: T;
  /** Time within which a promise returned by the hook must settle; default: no limit. */
  readonly limit?: TimeLimit | undefined;
  /** Report a RiskGateError of the hook unchanged; by default it is wrapped in HOOK_FAILED. */
  readonly reportsOwn?: boolean;
}

/**
 * Calls a hook. If it throws, rejects, exceeds the limit or returns something unexpected, the error
 * is reported and the result is `otherwise`. Never throws and never rejects; a result that is not a
 * promise is returned synchronously.
 *
 * @param name Name at the start of the error message, such as "`onReject`".
 */
export function callHook<T = unknown>(
  name: string,
  call: () => unknown,
  how: HookCall<T>,
): Awaitable<T> {
  const { expects = (result) => result as T, limit } = how;
  try {
    const result = call();
    if (!isThenable(result)) return expects(result);
    const settled = limit
      ? limitTime(result, limit.ms, () => {
          throw new TypeError(`${name} did not settle within \`${limit.option}\``);
        })
      : Promise.resolve(result);
    return settled.then(expects).catch((cause: unknown) => fail(name, cause, how));
  } catch (cause) {
    return fail(name, cause, how);
  }
}

/**
 * Like `callHook`, but for a hook that must not return a promise. A promise is passed to `expects`
 * like any other result, and its rejection is ignored.
 */
export function callSyncHook<T>(
  name: string,
  call: () => unknown,
  how: Omit<HookCall<T>, "limit">,
): T {
  const { expects = (result) => result as T } = how;
  try {
    const result = call();
    if (isThenable(result)) result.then(undefined, () => {});
    return expects(result);
  } catch (cause) {
    return fail(name, cause, how);
  }
}

export function hookError(name: string, cause: unknown): RiskGateError {
  return new RiskGateError("HOOK_FAILED", `${name} failed`, { cause });
}

function fail<T>(name: string, cause: unknown, { report, otherwise, reportsOwn }: HookCall<T>): T {
  report(reportsOwn && isRiskGateError(cause) ? cause : hookError(name, cause));
  return otherwise;
}

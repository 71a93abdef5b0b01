import {
  limitTime,
  readAnyBody,
  readOptions,
  readWebWatch,
  type WebWatchOptions,
} from "@riskgate/web/adapter";
import type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";
import { firstOf } from "./read-event.js";
import { receiveEvent } from "./receive-event.js";
import { remainingMs, statusOf } from "./write-result.js";

/** Options for {@link loginWatch}; hooks receive the request, the event and the result. */
export type LoginWatchOptions<Result = unknown> = Omit<
  WebWatchOptions<[request: Request, event: LambdaEvent, result: Result]>,
  "waitUntil"
>;

/** Longest time for which a result waits until its report is sent. */
const MAX_WAIT_MS = 1_000;

/**
 * Reports login outcomes of a handler: put it behind the gate. The platform stops a function that
 * has returned, so a result waits until its report is sent, for at most a second.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * export const handler = loginWatch({ reporter }, async (event) => {
 *   return { statusCode: isPassword(event.body) ? 204 : 401 };
 * });
 */
export function loginWatch<
  Event extends LambdaEvent,
  Context extends LambdaContext,
  Result,
  Rest extends unknown[],
>(
  options: LoginWatchOptions<Result>,
  handler: (event: Event, context: Context, ...rest: Rest) => Promise<Result>,
): (event: Event, context: Context, ...rest: Rest) => Promise<Result | LambdaResult> {
  type Args = [request: Request, event: LambdaEvent, result: Result];
  const watch = readOptions("loginWatch", options, readWebWatch<Args>);
  return async (event, context, ...rest) => {
    let end: ((result: Result) => Promise<void>) | undefined;
    const refused = await receiveEvent(event, context, async (read) => {
      const { request, remoteAddress, bytes } = firstOf(event, read);
      const info = { remoteAddress, body: readAnyBody(bytes, request) };
      const report = watch.begin(request, info, request);
      end = async (result) => {
        await report(statusOf(event, result), [request, event, result]);
        await watch.flush();
      };
      return undefined;
    });
    if (refused) return refused;
    const result = await handler(event, context, ...rest);
    const waitMs = Math.min(remainingMs(context), MAX_WAIT_MS);
    if (end) await limitTime(end(result), waitMs, () => {}, true);
    return result;
  };
}

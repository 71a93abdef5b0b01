import {
  type BodyLimitOptions,
  copyBody,
  readAnyBody,
  readBodyLimits,
  readOptions,
  readWebWatch,
  type WebWatchOptions,
} from "@riskgate/web/adapter";
import { statusOfThrown } from "./thrown-status.js";

/** Options for {@link loginWatch}: hooks receive the request and the response, and body limits. */
export interface LoginWatchOptions<R extends Request = Request>
  extends WebWatchOptions<[request: R, response: Response]>, BodyLimitOptions {}

/**
 * Reports login outcomes of a route handler, also if it ends with `redirect()` or `unauthorized()`.
 * Put it behind the gate.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * export const POST = loginWatch({ reporter, clientAddress }, async (request) =>
 *   new Response(null, { status: isPassword(await request.json()) ? 204 : 401 }),
 * );
 */
export function loginWatch<R extends Request, Rest extends unknown[]>(
  options: LoginWatchOptions<R>,
  handler: (request: R, ...rest: Rest) => Response | Promise<Response>,
): (request: R, ...rest: Rest) => Promise<Response> {
  const { limits, watch } = readOptions("loginWatch", options, (given) => ({
    limits: readBodyLimits(given),
    watch: readWebWatch<[request: R, response: Response]>(given),
  }));
  return async (request, ...rest) => {
    const copy = await copyBody(request, limits);
    if ("answer" in copy) return copy.answer;
    const end = watch.begin(request, { body: readAnyBody(copy.bytes, request) }, request);
    try {
      const response = await handler(request, ...rest);
      void end(response.status, [request, response]);
      return response;
    } catch (thrown) {
      const status = statusOfThrown(thrown);
      void end(status, [request, new Response(null, { status })]);
      throw thrown;
    }
  };
}

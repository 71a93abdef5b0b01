import { readOptions } from "@riskgate/core/web";
import type { ClientInfo } from "./web-visit.js";
import { readWebWatch, type WebWatchOptions } from "./web-watch.js";

/** Options for {@link loginWatch}; hooks receive the request and the response. */
export type LoginWatchOptions = WebWatchOptions<[request: Request, response: Response]>;

/**
 * Calls the handler of a login, and reports the outcome by the status of its response. If the
 * handler throws, nothing is reported.
 */
export type WatchLogin = (
  request: Request,
  info: ClientInfo,
  handler: () => Response | Promise<Response>,
) => Promise<Response>;

/**
 * Reports login outcomes: call it after the gate.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * const watch = loginWatch({ reporter });
 * const body = await request.json();
 * return watch(request, { remoteAddress, body }, () =>
 *   new Response(null, { status: isPassword(body) ? 204 : 401 }),
 * );
 */
export function loginWatch(options: LoginWatchOptions): WatchLogin {
  const watch = readOptions(
    "loginWatch",
    options,
    readWebWatch<[request: Request, response: Response]>,
  );
  return async function loginWatch(request, info, handler) {
    const end = watch.begin(request, info, request);
    const response = await handler();
    void end(response.status, [request, response]);
    return response;
  };
}

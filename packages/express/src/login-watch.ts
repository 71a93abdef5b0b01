import { createLoginWatch, type LoginWatchOptions as WatchOptions } from "@riskgate/core/adapter";
import { ExpressExchange } from "@riskgate/core/internal";
import type { Request, RequestHandler, Response } from "express";

/** Options for {@link loginWatch}; hooks receive Express's request and response. */
export type LoginWatchOptions = WatchOptions<[request: Request, response: Response]>;

/**
 * Reports login outcomes: mount it after the body parser and the gate, and before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * app.post("/login", express.json(), loginWatch({ reporter }), (req, res) => {
 *   res.sendStatus(isPassword(req.body) ? 204 : 401);
 * });
 */
export function loginWatch(options: LoginWatchOptions): RequestHandler {
  const watch = createLoginWatch(options);
  return function loginWatch(request, response, next) {
    watch.begin(new ExpressExchange(request, response, [request, response]));
    next();
  };
}

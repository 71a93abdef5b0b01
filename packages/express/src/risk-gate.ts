import { type Decision } from "@riskgate/core";
import {
  createRequestGate,
  presentDecision,
  type RequestGateOptions,
} from "@riskgate/core/adapter";
import { ExpressExchange } from "@riskgate/core/internal";
import type { Request, RequestHandler, Response } from "express";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express extends its types this way.
  namespace Express {
    interface Request {
      /**
       * Decision of `riskGate`; undefined on other routes, and if `skip` let the request through.
       */
      risk?: Decision | undefined;
    }
  }
}

/** Options for {@link riskGate}; hooks receive Express's request and response. */
export type RiskGateOptions = RequestGateOptions<[request: Request, response: Response]>;

/**
 * Guards a route: mount it after the body parser and before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * app.post("/signup", express.json(), riskGate({ lookup }), (req, res) => {
 *   res.json({ watched: requireDecision(req).outcome === "flag" });
 * });
 */
export function riskGate(options: RiskGateOptions): RequestHandler {
  const gate = createRequestGate(options);
  return function riskGate(request, response, next) {
    const passed = gate.guard(new ExpressExchange(request, response, [request, response]));
    if (passed === true) next();
    else if (passed !== false) passed.then((isPassed) => isPassed && next(), next);
  };
}

/**
 * Returns the decision about a request, for a handler that requires one.
 *
 * @throws {RiskGateError} NOT_GATED, with the route, if no gate has decided.
 */
export function requireDecision(request: Request): Decision {
  const { path = request.path } = (request.route ?? {}) as { path?: unknown };
  return presentDecision(request.risk, `${request.method} ${request.baseUrl}${String(path)}`);
}

import { type Decision } from "@riskgate/core";
import { createRequestGate, type RequestGateOptions } from "@riskgate/core/adapter";
import type { Request, RequestHandler, Response } from "express";
import { GatedExchange } from "./gated-exchange.js";

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- Express extends its types this way.
  namespace Express {
    interface Request {
      /** Decision of `riskGate`; set only on routes behind it. */
      risk: Decision;
    }
  }
}

/** Options of {@link riskGate}: those of a gate, with hooks that get Express's request and response. */
export type RiskGateOptions = RequestGateOptions<[request: Request, response: Response]>;

/**
 * Guard a route: mount it after the body parser and before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * app.post("/signup", express.json(), riskGate({ lookup }), (req, res) => {
 *   res.json({ watched: req.risk.outcome === "flag" });
 * });
 */
export function riskGate(options: RiskGateOptions): RequestHandler {
  const gate = createRequestGate(options);
  return function riskGate(request, response, next) {
    const passed = gate.guard(new GatedExchange(request, response));
    if (passed === true) next();
    else if (passed !== false) passed.then((isPassed) => isPassed && next(), next);
  };
}

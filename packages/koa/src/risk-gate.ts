import { type Decision } from "@riskgate/core";
import { createRequestGate, type RequestGateOptions } from "@riskgate/core/adapter";
import type { Context, Middleware } from "koa";
import { GatedContext } from "./gated-context.js";

declare module "koa" {
  interface DefaultState {
    /** Decision of `riskGate`; set only on routes behind it. */
    risk: Decision;
  }
}

/** Options of {@link riskGate}: those of a gate, with hooks that get Koa's context. */
export type RiskGateOptions = RequestGateOptions<[context: Context]>;

/**
 * Guard a route: mount it after the body parser and before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * router.post("/signup", bodyParser(), riskGate({ lookup }), (ctx) => {
 *   ctx.body = { watched: ctx.state.risk.outcome === "flag" };
 * });
 */
export function riskGate(options: RiskGateOptions): Middleware {
  const gate = createRequestGate(options);
  return function riskGate(context, next) {
    const passed = gate.guard(new GatedContext(context));
    if (passed === true) return next();
    if (passed === false) return Promise.resolve();
    return passed.then((isPassed) => (isPassed ? next() : undefined));
  };
}

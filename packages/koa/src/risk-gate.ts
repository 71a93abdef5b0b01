import { type Decision } from "@riskgate/core";
import {
  createRequestGate,
  presentDecision,
  type RequestGateOptions,
} from "@riskgate/core/adapter";
import type { Context, Middleware } from "koa";
import { GatedContext } from "./gated-context.js";

declare module "koa" {
  interface DefaultState {
    /** Decision of `riskGate`; undefined on other routes, and if `skip` let the request through. */
    risk?: Decision | undefined;
  }
}

/** Options for {@link riskGate}; hooks receive Koa's context. */
export type RiskGateOptions = RequestGateOptions<[context: Context]>;

/**
 * Guards a route: mount it after the body parser and before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * router.post("/signup", bodyParser(), riskGate({ lookup }), (ctx) => {
 *   ctx.body = { watched: requireDecision(ctx).outcome === "flag" };
 * });
 */
export function riskGate(options: RiskGateOptions): Middleware {
  const gate = createRequestGate(options);
  return function riskGate(context, next) {
    const passed = gate.guard(new GatedContext(context));
    if (passed === true) return next();
    if (passed === false) return Promise.resolve();
    return passed.then((isPassed) => {
      if (isPassed) return next();
      // Koa must not finish a response that was started without it.
      if (context.headerSent) context.respond = false;
      return undefined;
    });
  };
}

/**
 * Returns the decision about a request, for a handler that requires one.
 *
 * @throws {RiskGateError} NOT_GATED, with the route, if no gate has decided.
 */
export function requireDecision(context: Pick<Context, "state" | "method" | "path">): Decision {
  // If a router has matched, it reports the path.
  const { _matchedRoute: matched } = context as { readonly _matchedRoute?: unknown };
  const path = typeof matched === "string" ? matched : context.path;
  return presentDecision(context.state.risk, `${context.method} ${path}`);
}

import {
  type BodyLimitOptions,
  type Decision,
  presentDecision,
  readAnyBody,
  readBodyLimits,
  readOptions,
  readWebGate,
  type WebGateOptions,
  webGateWith,
  withAddedHeaders,
} from "@riskgate/web/adapter";
import type { Context, MiddlewareHandler } from "hono";
import { copyOf } from "./body-copy.js";

declare module "hono" {
  interface ContextVariableMap {
    /** Decision of `riskGate`; undefined on other routes, and if `skip` let the request through. */
    risk: Decision | undefined;
  }
}

/** Options for {@link riskGate}: gate options, whose hooks receive Hono's context, and body limits. */
export interface RiskGateOptions extends WebGateOptions<[context: Context]>, BodyLimitOptions {}

/**
 * Guards a route: mount it before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * const clientAddress = (c: Context) => getConnInfo(c).remote.address;
 * app.post("/signup", riskGate({ lookup, clientAddress }), (c) => {
 *   return c.json({ watched: requireDecision(c).outcome === "flag" });
 * });
 */
export function riskGate(options: RiskGateOptions): MiddlewareHandler {
  const { limits, gate } = readOptions("riskGate", options, (given) => ({
    limits: readBodyLimits(given),
    gate: webGateWith(readWebGate<[context: Context]>(given)),
  }));
  return async function riskGate(context, next) {
    const copy = await copyOf(context, limits);
    if ("answer" in copy) return copy.answer;
    const info = { body: readAnyBody(copy.bytes, context.req.raw), route: routeOf(context) };
    const { answer, decision } = await gate.guard(context.req.raw, info, context);
    if (answer) return answer;
    context.set("risk", decision);
    await next();
    context.res = withAddedHeaders(context.req.raw, context.res);
    return undefined;
  };
}

/**
 * Returns the decision about a request, for a handler that requires one.
 *
 * @throws {RiskGateError} NOT_GATED, with the route, if no gate has decided.
 */
export function requireDecision(context: Context): Decision {
  return presentDecision(context.get("risk"), `${context.req.method} ${routeOf(context)}`);
}

/**
 * Returns the path pattern of the last matching route. `hono/route` finds it only in contexts from
 * the same copy of Hono, and a CommonJS application uses a different copy than this package.
 */
function routeOf({ req }: Context): string {
  // oxlint-disable-next-line typescript/no-deprecated -- The replacement is in `hono/route`.
  return req.matchedRoutes.at(-1)?.path ?? "";
}

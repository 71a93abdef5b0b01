import {
  createWebGate,
  type Decision,
  presentDecision,
  readAnyBody,
  type WebGateOptions,
  withAddedHeaders,
} from "@riskgate/web/adapter";
import type { Context, MiddlewareHandler } from "hono";

declare module "hono" {
  interface ContextVariableMap {
    /** Decision of `riskGate`; undefined on other routes, and if `skip` let the request through. */
    risk: Decision | undefined;
  }
}

/** Options for {@link riskGate}; hooks receive Hono's context. */
export type RiskGateOptions = WebGateOptions<[context: Context]>;

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
  const gate = createWebGate(options);
  return async function riskGate(context, next) {
    const info = { body: await bodyOf(context), route: routeOf(context) };
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

/** Reads a copy of the body, so that the handler can read it in any way. */
async function bodyOf({ req }: Context): Promise<unknown> {
  const { raw } = req;
  const isTaken = raw.bodyUsed || raw.body?.locked;
  try {
    // Hono caches what it has read, and a copy of its request leaves the original unread.
    const read = isTaken ? await req.text() : new Uint8Array(await raw.clone().arrayBuffer());
    return readAnyBody(read, raw);
  } catch {
    // The handler gets the same error from Hono.
    return undefined;
  }
}

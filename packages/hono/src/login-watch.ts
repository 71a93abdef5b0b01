import {
  type BodyLimitOptions,
  readAnyBody,
  readBodyLimits,
  readOptions,
  readWebWatch,
  type WebWatchOptions,
} from "@riskgate/web/adapter";
import type { Context, MiddlewareHandler } from "hono";
import { copyOf } from "./body-copy.js";

/** Options for {@link loginWatch}: hooks receive Hono's context, and body limits as for the gate. */
export interface LoginWatchOptions extends WebWatchOptions<[context: Context]>, BodyLimitOptions {}

/**
 * Reports login outcomes: mount it after the gate and before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * app.post("/login", loginWatch({ reporter, clientAddress }), async (c) =>
 *   c.body(null, isPassword(await c.req.json()) ? 204 : 401),
 * );
 */
export function loginWatch(options: LoginWatchOptions): MiddlewareHandler {
  const { limits, watch } = readOptions("loginWatch", options, (given) => ({
    limits: readBodyLimits(given),
    watch: readWebWatch<[context: Context]>(given),
  }));
  return async function loginWatch(context, next) {
    const { raw } = context.req;
    const copy = await copyOf(context, limits);
    if ("answer" in copy) return copy.answer;
    const end = watch.begin(raw, { body: readAnyBody(copy.bytes, raw) }, context);
    await next();
    void end(context.res.status, [context]);
    return undefined;
  };
}

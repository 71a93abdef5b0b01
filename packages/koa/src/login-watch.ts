import { createLoginWatch, type LoginWatchOptions as WatchOptions } from "@riskgate/core/adapter";
import type { Context, Middleware } from "koa";
import { GatedContext } from "./gated-context.js";

/** Options for {@link loginWatch}; hooks receive Koa's context. */
export type LoginWatchOptions = WatchOptions<[context: Context]>;

/**
 * Reports login outcomes: mount it after the body parser and the gate, and before the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * router.post("/login", bodyParser(), loginWatch({ reporter }), (ctx) => {
 *   ctx.status = isPassword(ctx.request.body) ? 204 : 401;
 * });
 */
export function loginWatch(options: LoginWatchOptions): Middleware {
  const watch = createLoginWatch(options);
  return async function loginWatch(context, next) {
    const watched = new GatedContext(context);
    const handled = watch.begin(watched);
    try {
      await next();
    } catch (error) {
      // Koa sends no response, and sets no status, for a client that has disconnected.
      handled(Number((error as { status?: unknown } | null)?.status ?? 500));
      throw error;
    }
    if (watched.isAnswered()) handled(context.status);
  };
}

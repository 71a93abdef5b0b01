import { createRequestGate, type Decision, type RequestGateOptions } from "@riskgate/core";
import type { Context, Middleware } from "koa";
import { sendReply } from "./send-reply.js";
import { checkKoa } from "./supported.js";

declare module "koa" {
  interface DefaultState {
    /** What `riskGate` decided; only behind it. */
    risk: Decision;
  }
}

/** Options of {@link riskGate}: those of a gate, with hooks that get Koa's context. */
export type RiskGateOptions = RequestGateOptions<[context: Context]>;

/**
 * Guard a route: mount it behind the body parser and in front of the handler.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * router.post("/signup", bodyParser(), riskGate({ lookup }), (ctx) => {
 *   ctx.body = { watched: ctx.state.risk.outcome === "flag" };
 * });
 */
export function riskGate(options: RiskGateOptions): Middleware {
  checkKoa();
  const gate = createRequestGate(options);
  return function riskGate(context, next) {
    const passed = gate.guard(
      {
        request: context.req,
        response: context.res,
        ip: context.ip,
        body: (context.request as { body?: unknown }).body,
        unsafeTrust: () => unsafeTrust(context),
        attach: (decision) => (context.state.risk = decision),
        refuse: (reply) => sendReply(context, reply),
        isAnswered: () => isAnswered(context),
      },
      context,
    );
    if (passed === true) return next();
    if (passed === false) return Promise.resolve();
    return passed.then((isPassed) => (isPassed ? next() : undefined));
  };
}

/** Koa answers when all middleware has ended: what is written until then is the answer. */
function isAnswered({ body, status, headerSent, respond }: Context): boolean {
  return headerSent || respond === false || status !== 404 || (body !== undefined && body !== null);
}

/** With `proxy` Koa takes the outermost address of a header, however many proxies there are. */
function unsafeTrust({ app }: Context): string | undefined {
  const isCapped = (app as { maxIpsCount?: number }).maxIpsCount;
  return app.proxy && !isCapped
    ? "Koa trusts a header without a cap (`proxy` without `maxIpsCount`)"
    : undefined;
}

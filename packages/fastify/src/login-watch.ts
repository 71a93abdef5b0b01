import { createLoginWatch, type LoginWatchOptions as WatchOptions } from "@riskgate/core/adapter";
import { FastifyExchange } from "@riskgate/core/internal";
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from "fastify";

/** Options for {@link loginWatch}; hooks receive Fastify's request and reply. */
export type LoginWatchOptions = WatchOptions<[request: FastifyRequest, reply: FastifyReply]>;

/**
 * Reports login outcomes: a `preHandler` to run after the gate's.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * app.post("/login", { preHandler: loginWatch({ reporter }) }, (request, reply) =>
 *   reply.code(isPassword(request.body) ? 204 : 401).send(),
 * );
 */
export function loginWatch(options: LoginWatchOptions): preHandlerHookHandler {
  const watch = createLoginWatch(options);
  return function loginWatch(request, reply, done) {
    watch.begin(new FastifyExchange(request, reply, [request, reply]));
    done();
  };
}

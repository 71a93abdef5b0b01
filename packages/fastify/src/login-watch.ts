import { createLoginWatch, type LoginWatchOptions as WatchOptions } from "@riskgate/core/adapter";
import { FastifyExchange } from "@riskgate/core/internal";
import type { FastifyReply, FastifyRequest, preHandlerHookHandler } from "fastify";

/** Options of {@link loginWatch}, with hooks that get Fastify's request and reply. */
export type LoginWatchOptions = WatchOptions<[request: FastifyRequest, reply: FastifyReply]>;

/**
 * Reports how each login of a route ends: a `preHandler`, behind that of the gate.
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

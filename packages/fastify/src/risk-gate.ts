import { type Decision, RiskGateError } from "@riskgate/core";
import {
  createRequestGate,
  presentDecision,
  type RequestGateOptions,
} from "@riskgate/core/adapter";
import { FastifyExchange } from "@riskgate/core/internal";
import type {
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  RouteOptions,
} from "fastify";
import fastifyPlugin from "fastify-plugin";
import { ownOptions } from "./own-options.js";
import { guardEarlierRoutes, markGate } from "./wanted-routes.js";

/** Options for {@link riskGate}; hooks receive Fastify's request and reply. */
export type RiskGateOptions = RequestGateOptions<[request: FastifyRequest, reply: FastifyReply]>;

/** A route's gate: on or off, or options that override the plugin's. */
export type RouteRiskGate = boolean | Partial<RiskGateOptions>;

declare module "fastify" {
  interface FastifyInstance {
    /** Creates a `preHandler` from the plugin's options and the overrides. */
    riskGate(overrides?: Partial<RiskGateOptions>): preHandlerHookHandler;
  }
  interface FastifyRequest {
    /** Decision of `riskGate`; undefined elsewhere, and if `skip` let the request through. */
    risk: Decision | undefined;
  }
  interface FastifyContextConfig {
    riskGate?: RouteRiskGate;
  }
}

// Asynchronous, because errors thrown by a callback-style plugin would crash the process.
const plugin: FastifyPluginAsync<RiskGateOptions> = async (app, given) => {
  const options = ownOptions(given);
  const hook = (overrides: Partial<RiskGateOptions> = {}): preHandlerHookHandler =>
    createHook({ ...options, ...overrides });
  // Also created here, so that an invalid option fails at startup even without a route.
  createRequestGate(options);
  if (app.hasDecorator("riskGate")) {
    throw new RiskGateError("CONFIG_INVALID", "riskGate is already registered on this instance", {
      hint: "For other options on a route, use `preHandler: app.riskGate(overrides)`",
    });
  }
  app.decorateRequest("risk");
  app.decorate("riskGate", hook);
  const guard = (route: RouteOptions): void => {
    const wanted = route.config?.riskGate;
    if (!wanted) return;
    const own = hook(wanted === true ? {} : wanted);
    route.preHandler = [own, ...[route.preHandler ?? []].flat()];
  };
  guardEarlierRoutes(app, guard);
  app.addHook("onRoute", guard);
};

/**
 * Guards routes of an instance and its descendants: those with `config: { riskGate: true }`, or
 * with `preHandler: app.riskGate()`. It runs once the body is parsed and validated. The application
 * fails to start if a route's configuration requires a gate but no plugin covers the route.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * await app.register(riskGate, { lookup });
 * app.post("/signup", { config: { riskGate: true } }, (request) => ({
 *   watched: requireDecision(request).outcome === "flag",
 * }));
 */
export const riskGate: FastifyPluginAsync<RiskGateOptions> = fastifyPlugin(plugin, {
  name: "@riskgate/fastify",
  fastify: "5.x",
});

function createHook(options: RiskGateOptions): preHandlerHookHandler {
  const gate = createRequestGate(options);
  return markGate(function riskGate(request, reply, done) {
    const passed = gate.guard(new FastifyExchange(request, reply, [request, reply]));
    if (passed === true) done();
    else if (passed !== false) passed.then((isPassed) => isPassed && done(), done);
  });
}

/**
 * Returns the decision about a request, for a handler that requires one.
 *
 * @throws {RiskGateError} NOT_GATED, with the route, if no gate has decided.
 */
export function requireDecision(request: FastifyRequest): Decision {
  const { url = request.url } = request.routeOptions;
  return presentDecision(request.risk, `${request.method} ${url}`);
}

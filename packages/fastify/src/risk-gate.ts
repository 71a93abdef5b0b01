import { createRequestGate, type Decision, type RequestGateOptions } from "@riskgate/core";
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
} from "fastify";
import fastifyPlugin from "fastify-plugin";
import { sendReply } from "./send-reply.js";

/** Options of {@link riskGate}: those of a gate, with hooks that get Fastify's request and reply. */
export type RiskGateOptions = RequestGateOptions<[request: FastifyRequest, reply: FastifyReply]>;

/** What a route says about its gate: on or off, or what is different from the plugin's options. */
export type RouteRiskGate = boolean | Partial<RiskGateOptions>;

declare module "fastify" {
  interface FastifyInstance {
    /** Make a `preHandler` from the plugin's options and what is different here. */
    riskGate(overrides?: Partial<RiskGateOptions>): preHandlerHookHandler;
  }
  interface FastifyRequest {
    /** What `riskGate` decided; only behind it. */
    risk: Decision;
  }
  interface FastifyContextConfig {
    /** Guard this route. */
    riskGate?: RouteRiskGate;
  }
}

// Asynchronous, because Fastify leaves what a plugin in callback style throws to the process.
const plugin: FastifyPluginAsync<RiskGateOptions> = async (app, options) => {
  const hook = (overrides: Partial<RiskGateOptions> = {}): preHandlerHookHandler =>
    createHook(app, { ...options, ...overrides });
  // Made here as well as for each route, so that a wrong option fails at start on any account.
  createRequestGate(options);
  app.decorateRequest("risk");
  app.decorate("riskGate", hook);
  app.addHook("onRoute", (route) => {
    const wanted = route.config?.riskGate;
    if (!wanted) return;
    const before = route.preHandler ?? [];
    const own = hook(wanted === true ? {} : wanted);
    route.preHandler = [own, ...(Array.isArray(before) ? before : [before])];
  });
};

/**
 * Guard routes of an instance and of all below it: those with `config: { riskGate: true }`, or with
 * `preHandler: app.riskGate()`. It runs when the body is parsed and validated.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 * @example
 * await app.register(riskGate, { lookup });
 * app.post("/signup", { config: { riskGate: true } }, (request) => ({
 *   watched: request.risk.outcome === "flag",
 * }));
 */
export const riskGate: FastifyPluginAsync<RiskGateOptions> = fastifyPlugin(plugin, {
  name: "@riskgate/fastify",
  fastify: "5.x",
});

function createHook(app: FastifyInstance, options: RiskGateOptions): preHandlerHookHandler {
  const gate = createRequestGate(options);
  return function riskGate(request, reply, done) {
    const passed = gate.guard(
      {
        request: request.raw,
        response: reply.raw,
        ip: request.ip,
        body: request.body,
        unsafeTrust: () => unsafeTrust(app, request),
        attach: (decision) => (request.risk = decision),
        refuse: (answer) => void sendReply(reply, answer),
        isAnswered: () => reply.sent,
      },
      request,
      reply,
    );
    if (passed === true) done();
    else if (passed !== false) passed.then((isPassed) => isPassed && done(), done);
  };
}

/** Fastify does not tell its setting: asked about a made-up request, it shows whom it believes. */
function unsafeTrust(app: FastifyInstance, request: FastifyRequest): string | undefined {
  // No list holds these documentation addresses, and no count reaches so far.
  const headers = { "x-forwarded-for": `192.0.2.2${", 192.0.2.1".repeat(999)}` };
  const raw = { value: { headers, socket: { remoteAddress: "192.0.2.1" } } };
  const { ip } = Object.create(request, { raw }) as FastifyRequest;
  if (ip === "192.0.2.2") return "Fastify trusts every proxy (`trustProxy`)";
  return typeof trustProxyOf(app) === "number"
    ? "Fastify ignores a number as `trustProxy`"
    : undefined;
}

/** A number cannot be told from a list by its effect, and `initialConfig` leaves this option out. */
function trustProxyOf(app: object): unknown {
  for (let at: object | null = app; at; at = Object.getPrototypeOf(at) as object | null) {
    const symbols = Object.getOwnPropertySymbols(at);
    const key = symbols.find(({ description }) => description === "fastify.options");
    if (key) return (at as Record<symbol, { trustProxy?: unknown }>)[key]?.trustProxy;
  }
  return undefined;
}

import type { AddressInfo } from "node:net";
import formbody from "@fastify/formbody";
import type {
  AdapterHarness,
  AppPlan,
  GatePlan,
  GatePlanOptions,
  LoginPlan,
  WriteAnswer,
} from "@riskgate/testing";
import fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { requireDecision, riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { loginWatch } from "../src/login-watch.js";
import { webhookRoute } from "../src/webhook-route.js";

/** The contract's plans as Fastify applications. */
export const fastifyHarness: AdapterHarness = {
  name: "Fastify 5",
  floodRequests: 64,
  lifeRequests: 500,
  async serve(plan) {
    const app = fastify({
      trustProxy: plan.trustEverybody,
      logger: { level: "warn", stream: { write: plan.log } },
      forceCloseConnections: true,
    });
    try {
      await build(app, plan);
      await app.listen({ port: 0, host: plan.host });
    } catch (error) {
      await app.close();
      throw error;
    }
    const { port } = app.server.address() as AddressInfo;
    return { port, close: async () => app.close() };
  },
};

async function build(app: FastifyInstance, plan: AppPlan): Promise<void> {
  if (plan.webhooks.some(({ parserFirst }) => parserFirst)) {
    app.removeContentTypeParser("application/json");
    app.addContentTypeParser("application/json", { parseAs: "string" }, (_, body, done) => {
      done(null, JSON.parse(body as string));
    });
  }
  const before = new Map(plan.webhooks.map((webhook) => [webhook.path, webhook.before]));
  app.addHook("onRequest", (request, _reply, next) => {
    before.get(request.url)?.(request.raw);
    next();
  });
  for (const { path, options } of plan.webhooks) {
    await app.register(webhookRoute, { path, ...options });
  }
  for (const gate of plan.gates) await app.register(async (scope) => addGate(scope, gate));
  for (const login of plan.logins) addLogin(app, login);
  for (const path of plan.siblings) app.post(path, (request) => request.body);
}

async function addGate(scope: FastifyInstance, gate: GatePlan): Promise<void> {
  await scope.register(formbody, { parser: parseForm });
  await scope.register(riskGate, mapped(gate.options));
  const again = gate.twice ? { preHandler: scope.riskGate() } : {};
  scope.post(gate.path, { config: { riskGate: true }, ...again }, async (request, reply) => {
    gate.handler(requireDecision(request));
    await gate.respond?.(reply);
    return { passed: true };
  });
}

function addLogin(app: FastifyInstance, { path, options, twice, handler }: LoginPlan): void {
  const { account, success, ...rest } = options;
  const watch = () =>
    loginWatch({
      ...rest,
      ...(account && {
        account: typeof account === "string" ? account : (request) => account(request.body),
      }),
      ...(success && { success: (_, reply) => success(reply.statusCode) }),
    });
  const preHandler = (twice ? [1, 2] : [1]).map(watch);
  app.post(path, { preHandler }, async (_request, reply) => {
    reply.code(await handler());
    return {};
  });
}

function mapped(options: GatePlanOptions): RiskGateOptions {
  const { onReject, onChallenge, verifyChallenge, ...rest } = options;
  const answerTo =
    (reply: FastifyReply): WriteAnswer =>
    (status, text) =>
      void reply.code(status).send(text);
  return {
    ...rest,
    ...(onReject && {
      onReject: (decision, _request, reply) => onReject(decision, answerTo(reply), reply.raw),
    }),
    ...(onChallenge && {
      onChallenge: (decision, challenge, _request, reply) =>
        onChallenge(decision, challenge, answerTo(reply), reply.raw),
    }),
    ...(verifyChallenge && { verifyChallenge: (request) => verifyChallenge(request.body) }),
  };
}

/** A form in which a repeated name is a list, and a name with brackets an object. */
function parseForm(text: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer, inner] = /^([^[]+)\[(.*)\]$/.exec(name) ?? [];
    if (outer !== undefined) fields[outer] = inner ? { [inner]: value } : [value];
    else fields[name] = name in fields ? [fields[name], value] : value;
  }
  return fields;
}

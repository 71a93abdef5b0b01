import { getRequestListener, type HttpBindings } from "@hono/node-server";
import {
  type AdapterHarness,
  type AppPlan,
  type GatePlan,
  type GatePlanOptions,
  type LoginPlan,
  serveHttp,
} from "@riskgate/testing";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { NO_RESPONSE, written } from "../../../tools/test/returned-answer.js";
import { requireDecision, riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { loginWatch, type LoginWatchOptions } from "../src/login-watch.js";
import { webhookRoute } from "../src/webhook-route.js";

type App = Hono<{ Bindings: HttpBindings }>;

/** The contract's plans as Hono applications, served by Node. */
export const honoHarness: AdapterHarness = {
  name: "Hono on Node",
  platformConnections: true,
  floodRequests: 64,
  lifeRequests: 500,
  async serve(plan) {
    const app: App = new Hono();
    app.onError((error, context) => {
      if (error instanceof HTTPException) return error.getResponse();
      plan.log(String(error.stack));
      return context.body(null, 500);
    });
    build(app, plan);
    const listener = getRequestListener(app.fetch);
    return serveHttp((request, response) => void listener(request, response), plan.host);
  },
};

function build(app: App, plan: AppPlan): void {
  for (const { path, options, parserFirst, postOnly, before } of plan.webhooks) {
    const receive = webhookRoute(options);
    const first: MiddlewareHandler<{ Bindings: HttpBindings }> = async (context, next) => {
      before?.(context.env.incoming);
      if (parserFirst) await context.req.text();
      await next();
    };
    if (postOnly) app.post(path, first, receive);
    else app.all(path, first, receive);
  }
  for (const gate of plan.gates) addGate(app, gate);
  for (const login of plan.logins) addLogin(app, login);
  for (const path of plan.siblings) {
    app.post(path, bodyLimit({ maxSize: 100_000 }), async (context) => {
      try {
        return context.json(await context.req.json());
      } catch {
        return context.body(null, 400);
      }
    });
  }
}

function addGate(app: App, { path, options, twice, handler, respond }: GatePlan): void {
  const gate = (): MiddlewareHandler => riskGate(mapped(options));
  app.post(path, gate(), twice ? gate() : async (_, next) => next(), async (context) => {
    handler(requireDecision(context));
    await respond?.(context);
    const type = { "content-type": "application/json; charset=utf-8" };
    return context.json({ passed: true }, 200, type);
  });
}

function addLogin(
  app: App,
  { path, options: { account, success, ...rest }, twice, handler }: LoginPlan,
): void {
  const options: LoginWatchOptions = {
    clientAddress,
    ...rest,
    ...(account && {
      account:
        typeof account === "string"
          ? account
          : async ({ req }: Context) => account(await req.raw.clone().json()),
    }),
    ...(success && { success: ({ res }) => success(res.status) }),
  };
  const watch = (): MiddlewareHandler => loginWatch(options);
  app.post(path, watch(), twice ? watch() : async (_, next) => next(), async (context) => {
    try {
      return context.body(null, (await handler()) as 200);
    } catch (error) {
      const { status } = error as { readonly status?: number };
      throw status === undefined ? error : new HTTPException(status as 401);
    }
  });
}

const clientAddress = (context: Context): string | undefined =>
  (context as Context<{ Bindings: HttpBindings }>).env.incoming.socket.remoteAddress;

function mapped(options: GatePlanOptions): RiskGateOptions {
  const { onReject, onChallenge, verifyChallenge, ...rest } = options;
  return {
    clientAddress,
    ...rest,
    ...(onReject && {
      onReject: async (decision) => written((answer) => onReject(decision, answer, NO_RESPONSE)),
    }),
    ...(onChallenge && {
      onChallenge: async (decision, challenge) =>
        written((answer) => onChallenge(decision, challenge, answer, NO_RESPONSE)),
    }),
    ...(verifyChallenge && {
      verifyChallenge: async ({ req }) => {
        const isJson = req.header("content-type") === "application/json";
        return verifyChallenge(isJson ? await req.json() : await req.parseBody());
      },
    }),
  };
}

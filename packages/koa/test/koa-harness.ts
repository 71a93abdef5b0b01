import { bodyParser } from "@koa/bodyparser";
import { Router } from "@koa/router";
import type {
  AdapterHarness,
  AppPlan,
  GatePlan,
  GatePlanOptions,
  LoginPlan,
  WriteAnswer,
} from "@riskgate/testing";
import { serveHttp } from "@riskgate/testing";
import type Koa from "koa";
import { requireDecision, riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { loginWatch } from "../src/login-watch.js";
import { webhookRoute } from "../src/webhook-route.js";

/** The contract's plans as Koa applications, of whichever major. */
export function koaHarness(name: string, framework: typeof Koa): AdapterHarness {
  return {
    name,
    floodRequests: 64,
    lifeRequests: 500,
    async serve(plan) {
      const app = new framework({ proxy: plan.trustEverybody });
      app.on("error", (error: Error) => plan.log(String(error.stack)));
      build(app, plan);
      return serveHttp(app.callback(), plan.host);
    },
  };
}

function build(app: Koa, plan: AppPlan): void {
  const router = new Router();
  for (const { path, options, parserFirst, postOnly, before } of plan.webhooks) {
    const first: Koa.Middleware[] = parserFirst ? [bodyParser()] : [];
    if (before) {
      first.push((context, next) => {
        before(context.req);
        return next();
      });
    }
    const stack = [...first, webhookRoute(options)];
    if (postOnly) router.post(path, ...stack);
    else router.all(path, ...stack);
  }
  for (const gate of plan.gates) addGate(router, gate);
  for (const login of plan.logins) addLogin(router, login);
  for (const path of plan.siblings) {
    router.post(path, bodyParser(), (context) => {
      context.body = context.request.body ?? null;
    });
  }
  app.use(router.routes());
}

function addGate(router: Router, { path, options, twice, handler, respond }: GatePlan): void {
  const scope = new Router({ prefix: path });
  const gates = [riskGate(mapped(options))];
  if (twice) gates.push(riskGate(mapped(options)));
  scope.post("/", bodyParser(), ...gates, async (context) => {
    handler(requireDecision(context));
    await respond?.(context);
    context.body = { passed: true };
  });
  router.use(scope.routes());
}

function addLogin(router: Router, { path, options, twice, handler }: LoginPlan): void {
  const { account, success, ...rest } = options;
  const watch = () =>
    loginWatch({
      ...rest,
      ...(account && {
        account: typeof account === "string" ? account : (context) => account(context.request.body),
      }),
      ...(success && { success: (context) => success(context.status) }),
    });
  router.post(path, bodyParser(), ...(twice ? [1, 2] : [1]).map(watch), async (context) => {
    context.status = await handler();
    context.body = {};
  });
}

function mapped(options: GatePlanOptions): RiskGateOptions {
  const { onReject, onChallenge, verifyChallenge, ...rest } = options;
  const answerTo =
    (context: Koa.Context): WriteAnswer =>
    (status, text) => {
      context.status = status;
      context.body = text;
    };
  return {
    ...rest,
    ...(onReject && {
      onReject: (decision, context) => onReject(decision, answerTo(context), context.res),
    }),
    ...(onChallenge && {
      onChallenge: (decision, challenge, context) =>
        onChallenge(decision, challenge, answerTo(context), context.res),
    }),
    ...(verifyChallenge && {
      verifyChallenge: (context) => verifyChallenge(context.request.body),
    }),
  };
}

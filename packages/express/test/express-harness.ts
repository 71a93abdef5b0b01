import type {
  AdapterHarness,
  GatePlan,
  LoginPlan,
  WebhookPlan,
  WriteAnswer,
} from "@riskgate/testing";
import { serveHttp } from "@riskgate/testing";
import type { Express, RequestHandler, Response } from "express";
import type express from "express";
import { requireDecision, riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { loginWatch, type LoginWatchOptions } from "../src/login-watch.js";
import { webhookRoute } from "../src/webhook-route.js";

/** The contract's plans as Express applications, of whichever major. */
export function expressHarness(name: string, framework: typeof express): AdapterHarness {
  const addWebhook = (app: Express, plan: WebhookPlan): void => {
    const route = webhookRoute(plan.options);
    if (plan.before) {
      app.use(plan.path, (request, _response, next) => {
        plan.before?.(request);
        next();
      });
    }
    if (plan.parserFirst) app.use(plan.path, framework.json());
    if (plan.postOnly) app.post(plan.path, route);
    else app.all(plan.path, route);
  };
  const addGate = (app: Express, { path, options, twice, handler, respond }: GatePlan): void => {
    const { onReject, onChallenge, verifyChallenge, ...rest } = options;
    const answerTo =
      (response: Response): WriteAnswer =>
      (status, text) =>
        void response.status(status).send(text);
    const mapped: RiskGateOptions = {
      ...rest,
      ...(onReject && {
        onReject: (decision, _request, response) =>
          onReject(decision, answerTo(response), response),
      }),
      ...(onChallenge && {
        onChallenge: (decision, challenge, _request, response) =>
          onChallenge(decision, challenge, answerTo(response), response),
      }),
      ...(verifyChallenge && { verifyChallenge: (request) => verifyChallenge(request.body) }),
    };
    const gates: RequestHandler[] = [riskGate(mapped)];
    if (twice) gates.push(riskGate(mapped));
    const router = framework.Router();
    const parsers = [framework.json(), framework.urlencoded({ extended: true })];
    router.post("/", ...parsers, ...gates, (request, response, next) => {
      handler(requireDecision(request));
      const answer = async (): Promise<void> => {
        await respond?.(response);
        response.json({ passed: true });
      };
      answer().catch(next);
    });
    app.use(path, router);
  };

  const addLogin = (app: Express, { path, options, twice, handler }: LoginPlan): void => {
    const { account, success, ...rest } = options;
    const mapped: LoginWatchOptions = {
      ...rest,
      ...(account && {
        account: typeof account === "string" ? account : (request) => account(request.body),
      }),
      ...(success && { success: (_, response) => success(response.statusCode) }),
    };
    const watches = (twice ? [1, 2] : [1]).map(() => loginWatch(mapped));
    app.post(path, framework.json(), ...watches, (_request, response, next) => {
      const answer = async (): Promise<void> => {
        response.status(await handler()).json({});
      };
      answer().catch(next);
    });
  };

  return {
    name,
    floodRequests: 64,
    lifeRequests: 500,
    async serve(plan) {
      const app = framework();
      app.set("trust proxy", plan.trustEverybody);
      for (const webhook of plan.webhooks) addWebhook(app, webhook);
      for (const gate of plan.gates) addGate(app, gate);
      for (const login of plan.logins) addLogin(app, login);
      for (const path of plan.siblings) {
        app.post(path, framework.json(), (request, response) => {
          response.json(request.body);
        });
      }
      return serveHttp(app, plan.host);
    },
  };
}

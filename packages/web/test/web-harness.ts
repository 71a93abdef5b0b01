import type { IncomingMessage } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import {
  type AdapterHarness,
  type AppPlan,
  type GatePlanOptions,
  type LoginPlan,
  serveHttp,
} from "@riskgate/testing";
import { parseBody } from "../../../tools/test/parse-body.js";
import { NO_RESPONSE, statusAnswer, written } from "../../../tools/test/returned-answer.js";
import { loginWatch, type LoginWatchOptions } from "../src/login-watch.js";
import { riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { withAddedHeaders } from "../src/web-visit.js";
import { webhookRoute } from "../src/webhook-route.js";

/** A handler of one path. */
type Route = (request: Request, incoming: IncomingMessage) => Promise<Response>;

/** The contract's plans as functions from `Request` to `Response`, served by Node. */
export function webHarness(name: string): AdapterHarness {
  return {
    name,
    platformConnections: true,
    floodRequests: 64,
    lifeRequests: 500,
    async serve(plan) {
      const routes = routesOf(plan);
      const listener = getRequestListener(
        async (request, env) => {
          const { incoming } = env as HttpBindings;
          const route = routes.get(new URL(request.url).pathname);
          return route ? route(request, incoming) : new Response(null, { status: 404 });
        },
        { errorHandler: (error) => plan.log(String(error)) },
      );
      return serveHttp((request, response) => void listener(request, response), plan.host);
    },
  };
}

function routesOf(plan: AppPlan): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  for (const { path, options, parserFirst, before } of plan.webhooks) {
    const receive = webhookRoute(options);
    routes.set(path, async (request, incoming) => {
      before?.(incoming);
      if (parserFirst) await request.text();
      return receive(request);
    });
  }
  for (const { path, options, twice, handler, respond } of plan.gates) {
    const guards = (twice ? [1, 2] : [1]).map(() => riskGate(mapped(options)));
    routes.set(path, async (request, { socket }) => {
      if (request.method !== "POST") return new Response(null, { status: 404 });
      const { remoteAddress } = socket;
      const body = parseBody(request.headers.get("content-type"), await request.text());
      for (const guard of guards) {
        const passed = await guard(request, { remoteAddress, body, route: path });
        if (passed instanceof Response) return passed;
        if (passed && guard === guards.at(-1)) handler(passed);
      }
      const headers = { "content-type": "application/json; charset=utf-8" };
      const response = Response.json({ passed: true }, { headers });
      await respond?.(response);
      return withAddedHeaders(request, response);
    });
  }
  for (const login of plan.logins) routes.set(login.path, loginRoute(login));
  for (const path of plan.siblings) {
    routes.set(path, sibling);
  }
  return routes;
}

function loginRoute({ options: { account, success, ...rest }, twice, handler }: LoginPlan): Route {
  const bodies = new WeakMap<Request, unknown>();
  const options: LoginWatchOptions = {
    ...rest,
    ...(account && {
      account: typeof account === "string" ? account : (request) => account(bodies.get(request)),
    }),
    ...(success && { success: (_, { status }) => success(status) }),
  };
  const [watch, other] = [loginWatch(options), loginWatch(options)];
  return async (request, { socket: { remoteAddress } }) => {
    const body = parseBody(request.headers.get("content-type"), await request.text());
    bodies.set(request, body);
    const info = { remoteAddress, body };
    const answer = () => statusAnswer(handler);
    return watch(request, info, twice ? () => other(request, info, answer) : answer);
  };
}

/** There is no framework with a parser and limits of its own: this stands for the application. */
async function sibling(request: Request): Promise<Response> {
  const text = await request.text();
  if (text.length > 100_000) return new Response(null, { status: 413 });
  const body = parseBody(request.headers.get("content-type"), text);
  return body === undefined ? new Response(null, { status: 400 }) : Response.json(body);
}

/** Hooks of the plan write an answer; those of this adapter return one. */
function mapped(options: GatePlanOptions): RiskGateOptions {
  const { onReject, onChallenge, verifyChallenge, ...rest } = options;
  return {
    ...rest,
    ...(onReject && {
      onReject: async (decision) => written((answer) => onReject(decision, answer, NO_RESPONSE)),
    }),
    ...(onChallenge && {
      onChallenge: async (decision, challenge) =>
        written((answer) => onChallenge(decision, challenge, answer, NO_RESPONSE)),
    }),
    ...(verifyChallenge && {
      verifyChallenge: (_, { body }) => verifyChallenge(body),
    }),
  };
}

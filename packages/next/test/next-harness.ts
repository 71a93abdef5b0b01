import type { IncomingMessage } from "node:http";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import {
  type AdapterHarness,
  type AppPlan,
  type GatePlan,
  type GatePlanOptions,
  type LoginPlan,
  serveHttp,
} from "@riskgate/testing";
import { NextRequest, NextResponse } from "next/server.js";
import { NO_RESPONSE, written } from "../../../tools/test/returned-answer.js";
import {
  type Decision,
  loginWatch,
  type LoginWatchOptions,
  riskGate,
  type RiskGateOptions,
  webhookRoute,
} from "../src/index.js";
import { statusOfThrown } from "../src/thrown-status.js";

/** A route handler of Next.js. */
type Route = (request: NextRequest, context: unknown) => Promise<Response>;

/** The connection of a request, which Next.js tells nobody of. */
const connections = new WeakMap<NextRequest, IncomingMessage>();

/** The contract's plans as route handlers, which are given requests of Next.js. */
export const nextHarness: AdapterHarness = {
  name: "Next.js route handlers",
  platformConnections: true,
  floodRequests: 64,
  lifeRequests: 500,
  async serve(plan) {
    const routes = routesOf(plan);
    const listener = getRequestListener(
      async (given, env) => {
        const route = routes.get(new URL(given.url).pathname);
        if (!route) return new Response(null, { status: 404 });
        const request = requestOf(given);
        connections.set(request, (env as HttpBindings).incoming);
        try {
          return await route(request, { params: Promise.resolve({}) });
        } catch (thrown) {
          plan.log(String(thrown));
          return new Response(null, { status: statusOfThrown(thrown) });
        }
      },
      { errorHandler: (error) => plan.log(String(error)) },
    );
    return serveHttp((request, response) => void listener(request, response), plan.host);
  },
};

/** Made as Next.js makes it. The method TRACE, which Next.js refuses by itself, only the given one can have. */
function requestOf(given: Request): NextRequest {
  const { url, method, headers, body, signal } = given;
  if (method === "TRACE") return given as NextRequest;
  return new NextRequest(url, { method, headers, body, signal, duplex: "half" });
}

function routesOf(plan: AppPlan): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  for (const { path, options, parserFirst, before } of plan.webhooks) {
    const receive = webhookRoute(options);
    routes.set(path, async (request) => {
      before?.(connections.get(request)!);
      if (parserFirst) await request.text();
      return receive(request);
    });
  }
  for (const gate of plan.gates) routes.set(gate.path, gateRoute(gate));
  for (const login of plan.logins) routes.set(login.path, loginRoute(login));
  for (const path of plan.siblings) routes.set(path, sibling);
  return routes;
}

function gateRoute({ options, twice, handler, respond }: GatePlan): Route {
  type Answer = (request: NextRequest, context: unknown, decision?: Decision) => Promise<Response>;
  const answer: Answer = async (_request, _context, decision) => {
    handler(decision!);
    const headers = { "content-type": "application/json; charset=utf-8" };
    const response = NextResponse.json({ passed: true }, { headers });
    await respond?.(response);
    return response;
  };
  const inner = riskGate(mapped(options), answer);
  const route = twice ? riskGate(mapped(options), inner) : inner;
  return async (request, context) =>
    request.method === "POST" ? route(request, context) : new Response(null, { status: 404 });
}

function loginRoute({ options: { account, success, ...rest }, twice, handler }: LoginPlan): Route {
  const options: LoginWatchOptions<NextRequest> = {
    clientAddress: (request) => connections.get(request)?.socket.remoteAddress,
    ...rest,
    ...(account && {
      account:
        typeof account === "string"
          ? account
          : async (request: NextRequest) => account(await request.clone().json()),
    }),
    ...(success && { success: (_, { status }) => success(status) }),
  };
  const inner: Route = loginWatch(options, async (_request: NextRequest, _context: unknown) => {
    try {
      return new Response(null, { status: await handler() });
    } catch (error) {
      const { status } = error as { readonly status?: number };
      if (status === undefined) throw error;
      // As `unauthorized()` does.
      throw Object.assign(new Error(), { digest: `NEXT_HTTP_ERROR_FALLBACK;${status}` });
    }
  });
  return twice ? loginWatch(options, inner) : inner;
}

/** Stands for the application. */
async function sibling(request: NextRequest): Promise<Response> {
  const text = await request.text();
  if (text.length > 100_000) return new Response(null, { status: 413 });
  try {
    return Response.json(JSON.parse(text));
  } catch {
    return new Response(null, { status: 400 });
  }
}

function mapped(options: GatePlanOptions): RiskGateOptions<NextRequest> {
  const { onReject, onChallenge, verifyChallenge, ...rest } = options;
  return {
    clientAddress: (request) => connections.get(request)?.socket.remoteAddress,
    ...rest,
    ...(onReject && {
      onReject: async (decision) => written((answer) => onReject(decision, answer, NO_RESPONSE)),
    }),
    ...(onChallenge && {
      onChallenge: async (decision, challenge) =>
        written((answer) => onChallenge(decision, challenge, answer, NO_RESPONSE)),
    }),
    ...(verifyChallenge && {
      verifyChallenge: async (request) => {
        const isJson = request.headers.get("content-type") === "application/json";
        const copy = request.clone();
        return verifyChallenge(
          isJson ? await copy.json() : Object.fromEntries(await copy.formData()),
        );
      },
    }),
  };
}

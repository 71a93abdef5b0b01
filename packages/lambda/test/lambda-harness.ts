import { type IncomingMessage, type ServerResponse } from "node:http";
import {
  type AdapterHarness,
  type AppPlan,
  type GatePlanOptions,
  type LoginPlan,
  serveHttp,
} from "@riskgate/testing";
import { parseBody } from "../../../tools/test/parse-body.js";
import { NO_RESPONSE, statusAnswer, written } from "../../../tools/test/returned-answer.js";
import type { LambdaContext, LambdaEvent, LambdaResult } from "../src/lambda-event.js";
import { loginWatch, type LoginWatchOptions } from "../src/login-watch.js";
import { riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { webhookRoute } from "../src/webhook-route.js";
import { CONTEXT, type EventKind, eventOf, linesOf } from "./lambda-bridge.js";

type Handler = (event: LambdaEvent, context: LambdaContext) => Promise<LambdaResult>;

/** Largest body that reaches a function. */
const MAX_BYTES = 6 * 1_048_576;

/** The contract's plans as Lambda functions behind a gateway of Node. */
export function lambdaHarness(kind: EventKind): AdapterHarness {
  return {
    name: `Lambda, ${kind}`,
    platformConnections: true,
    floodRequests: 64,
    lifeRequests: 500,
    async serve(plan) {
      const handlers = handlersOf(plan);
      const listener = (request: IncomingMessage, response: ServerResponse): void => {
        invoke(kind, handlers, request, response).catch((error: unknown) => {
          plan.log(String(error));
          response.destroy();
        });
      };
      return serveHttp(listener, plan.host);
    },
  };
}

async function invoke(
  kind: EventKind,
  handlers: ReadonlyMap<string, Handler>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pieces: Buffer[] = [];
  let size = 0;
  // A gateway refuses what no function can take.
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size <= MAX_BYTES) pieces.push(piece);
  }
  const [path = ""] = (request.url ?? "").split("?");
  const handler = handlers.get(path);
  if (!handler || size > MAX_BYTES) {
    response.writeHead(handler ? 413 : 404, { connection: "close" }).end();
    return;
  }
  const result = await handler(eventOf(kind, request, Buffer.concat(pieces)), CONTEXT);
  response.statusCode = result.statusCode;
  for (const [name, value] of linesOf(result)) response.appendHeader(name, value);
  response.end(Buffer.from(result.body, result.isBase64Encoded ? "base64" : "utf8"));
}

function handlersOf(plan: AppPlan): ReadonlyMap<string, Handler> {
  const handlers = new Map<string, Handler>();
  for (const { path, options } of plan.webhooks) handlers.set(path, webhookRoute(options));
  for (const { path, options, twice, handler, respond } of plan.gates) {
    const route: Handler = riskGate(mapped(options), async (_event, _context, decision) => {
      if (decision) handler(decision);
      const result = json(200, { passed: true });
      await respond?.(result);
      return result;
    });
    handlers.set(path, twice ? riskGate(mapped(options), route) : route);
  }
  for (const login of plan.logins) handlers.set(login.path, loginHandler(login));
  for (const path of plan.siblings) {
    handlers.set(path, async ({ body }) => {
      const text = Buffer.from(body ?? "", "base64").toString();
      if (text.length > 100_000) return json(413, null);
      const parsed = parseBody("application/json", text);
      return parsed === undefined ? json(400, null) : json(200, parsed);
    });
  }
  return handlers;
}

function loginHandler(plan: LoginPlan): Handler {
  const { account, success, ...rest } = plan.options;
  const options: LoginWatchOptions<LambdaResult> = {
    ...rest,
    ...(account && {
      account:
        typeof account === "string"
          ? account
          : async (request: Request) => account(await request.clone().json()),
    }),
    ...(success && { success: (_request, _event, { statusCode }) => success(statusCode) }),
  };
  const handler: Handler = loginWatch(options, async () => {
    const { status } = await statusAnswer(plan.handler);
    return { statusCode: status, body: "", isBase64Encoded: false };
  });
  return plan.twice ? loginWatch(options, handler) : handler;
}

function json(statusCode: number, value: unknown): LambdaResult {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { statusCode, headers, body: JSON.stringify(value), isBase64Encoded: false };
}

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
      verifyChallenge: async ({ headers }, { body }) => {
        const text = Buffer.from(body ?? "", "base64").toString();
        return verifyChallenge(parseBody(headers.get("content-type"), text));
      },
    }),
  };
}

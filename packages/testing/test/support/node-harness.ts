import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Challenge, Decision } from "@riskgate/core";
import {
  createLoginWatch,
  createRequestGate,
  createWebhookEndpoint,
  type Reply,
  type WebhookOptions,
} from "@riskgate/core/adapter";
import type {
  AdapterHarness,
  AppPlan,
  GatePlan,
  GatePlanOptions,
  LoginPlan,
  LoginPlanOptions,
  WebhookPlan,
  WriteAnswer,
} from "../../src/adapter/adapter-harness.js";

/** Ways in which an adapter can be wrong. Each member is put where a sound adapter does nothing. */
export interface Flaws {
  readonly webhook?: (options: WebhookOptions) => WebhookOptions;
  readonly gate?: (options: GatePlanOptions) => GatePlanOptions;
  readonly login?: (options: LoginPlanOptions) => LoginPlanOptions;
  /** Before anything looks at a webhook request. */
  readonly request?: (request: IncomingMessage) => unknown;
  readonly body?: (body: unknown) => unknown;
  readonly url?: (url: string | undefined) => string;
  readonly reply?: (reply: Reply, request: IncomingMessage) => Reply;
  /** Ignore the headers of steps. */
  readonly dropsHeaders?: boolean;
  readonly handle?: (handle: () => void) => void;
  readonly trailing?: string;
  readonly plan?: (plan: AppPlan) => AppPlan;
  readonly close?: (close: () => Promise<void>) => Promise<void>;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** An adapter for bare Node: the shortest there is, and sound unless it is told otherwise. */
export function nodeHarness(flaws: Flaws = {}): AdapterHarness {
  return {
    name: "node:http",
    floodRequests: 64,
    lifeRequests: 500,
    async serve(given) {
      const plan = flaws.plan?.(given) ?? given;
      const routes = new Map<string, Listener>();
      for (const webhook of plan.webhooks)
        routes.set(webhook.path, webhookListener(webhook, flaws));
      for (const gate of plan.gates) routes.set(gate.path, gateListener(gate, flaws));
      for (const login of plan.logins) routes.set(login.path, loginListener(login, flaws));
      for (const path of plan.siblings) {
        routes.set(path, async (request, response) => {
          const body = await readParsed(request, response);
          if (body) write(response, json(body.value));
        });
      }
      const server = createServer((request, response) => {
        const listener = routes.get(request.url?.split("?")[0] ?? "");
        if (listener) listener(request, response).catch(() => response.destroy());
        else write(response, { status: 404, headers: {}, body: "" });
      });
      await new Promise<void>((resolve) => server.listen(0, plan.host, resolve));
      const close = async (): Promise<void> =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        });
      const { port } = server.address() as AddressInfo;
      return { port, close: async () => (flaws.close ? flaws.close(close) : close()) };
    },
  };
}

function webhookListener({ options, parserFirst, before }: WebhookPlan, flaws: Flaws): Listener {
  const endpoint = createWebhookEndpoint(flaws.webhook?.(options) ?? options);
  return async (request, response) => {
    before?.(request);
    await flaws.request?.(request);
    if (parserFirst) await readParsed(request, response);
    const reply = await endpoint.answer(request);
    write(response, flaws.reply?.(reply, request) ?? reply);
    if (flaws.trailing) response.socket?.write(flaws.trailing);
  };
}

function gateListener({ options, twice, handler, respond }: GatePlan, flaws: Flaws): Listener {
  const { onReject, onChallenge, verifyChallenge, ...rest } = flaws.gate?.(options) ?? options;
  const answerTo =
    (response: ServerResponse): WriteAnswer =>
    (status, body) =>
      write(response, { status, headers: {}, body });
  const bodies = new WeakMap<IncomingMessage, unknown>();
  const mapped = {
    ...rest,
    ...(onReject && {
      onReject: (decision: Decision, _: unknown, response: ServerResponse) =>
        onReject(decision, answerTo(response), response),
    }),
    ...(onChallenge && {
      onChallenge: (
        decision: Decision,
        challenge: Challenge,
        _: unknown,
        response: ServerResponse,
      ) => onChallenge(decision, challenge, answerTo(response), response),
    }),
    ...(verifyChallenge && {
      verifyChallenge: (request: IncomingMessage) => verifyChallenge(bodies.get(request)),
    }),
  };
  const gates = (twice ? [1, 2] : [1]).map(() =>
    createRequestGate<[IncomingMessage, ServerResponse]>(mapped),
  );
  return async (request, response) => {
    const body = await readParsed(request, response);
    if (!body) return;
    bodies.set(request, body.value);
    let decision: Decision | undefined;
    for (const gate of gates) {
      const passes = await gate.guard({
        args: [request, response],
        request,
        response,
        url: flaws.url ? flaws.url(request.url) : request.url,
        ip: request.socket.remoteAddress,
        body: flaws.body ? flaws.body(body.value) : body.value,
        unsafeTrust: () => undefined,
        attach: (made) => (decision = made),
        addHeader: (name, value) => {
          if (!flaws.dropsHeaders) response.appendHeader(name, value);
        },
        sendReply: (reply) => write(response, flaws.reply?.(reply, request) ?? reply),
        isAnswered: () => response.headersSent,
      });
      if (!passes) return;
    }
    const handle = (): void => handler(decision!);
    if (flaws.handle) flaws.handle(handle);
    else handle();
    await respond?.(response);
    write(response, json({ passed: true }));
  };
}

function loginListener({ options, twice, handler }: LoginPlan, flaws: Flaws): Listener {
  const { account, success, ...rest } = flaws.login?.(options) ?? options;
  let parsed: unknown;
  const watches = (twice ? [1, 2] : [1]).map(() =>
    createLoginWatch<[IncomingMessage, ServerResponse]>({
      ...rest,
      ...(account && {
        account: typeof account === "string" ? account : () => account(parsed),
      }),
      ...(success && { success: (_, response) => success(response.statusCode) }),
    }),
  );
  return async (request, response) => {
    const body = await readParsed(request, response);
    if (!body) return;
    parsed = body.value;
    const ip = request.socket.remoteAddress;
    for (const watch of watches) {
      const unsafeTrust = (): undefined => undefined;
      watch.begin({
        args: [request, response],
        request,
        response,
        ip,
        body: body.value,
        unsafeTrust,
      });
    }
    let status: number;
    try {
      status = await handler();
    } catch (error) {
      ({ status = 500 } = error as { status?: number });
    }
    write(response, { status, headers: {}, body: "" });
  };
}

const MAX_BYTES = 1_048_576;

/** Parse as frameworks do, or answer why not and give undefined. */
async function readParsed(
  request: IncomingMessage,
  response: ServerResponse,
): Promise<{ value: unknown } | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const refuse = (status: number): undefined => write(response, { status, headers: {}, body: "" });
  if (body.length > MAX_BYTES) return refuse(413);
  if (body.length === 0) return { value: undefined };
  const type = request.headers["content-type"] ?? "";
  if (type.startsWith("application/x-www-form-urlencoded"))
    return { value: parseForm(body.toString()) };
  if (!type.startsWith("application/json")) return refuse(415);
  try {
    return { value: JSON.parse(body.toString()) };
  } catch {
    return refuse(400);
  }
}

function parseForm(text: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [outer = "", inner] = name.split("[");
    fields[outer] = inner !== undefined || outer in fields ? [value] : value;
  }
  return fields;
}

function json(value: unknown): Reply {
  const headers = { "content-type": "application/json; charset=utf-8" };
  return { status: 200, headers, body: JSON.stringify(value) };
}

function write(response: ServerResponse, { status, headers, body }: Reply): undefined {
  response.writeHead(status, headers).end(body);
  return undefined;
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decision } from "../../src/model/decision.js";
import type { GatedRequest } from "../../src/decision/gated-request.js";
import { createRequestGate } from "../../src/gate/request-gate.js";
import type { RequestGateOptions } from "../../src/gate/request-gate-options.js";
import { serve } from "./serve.js";

export type Args = [request: IncomingMessage, response: ServerResponse];

/** Options of a gate in front of a route of Node's own server, and what a framework would set. */
export interface GatedServerOptions extends Partial<RequestGateOptions<Args>> {
  readonly lookup: RequestGateOptions<Args>["lookup"];
  /** Client address by the framework; by default that of the socket. */
  readonly frameworkIp?: string;
  readonly unsafeTrust?: string;
  /** Path pattern of the route, as a framework that has patterns knows it. */
  readonly route?: string;
  /** Parse the JSON body first; default true. */
  readonly parse?: boolean;
}

/** A route behind one gate or several equal ones; counts what passes. */
export interface GatedServer {
  readonly port: number;
  readonly decisions: (Decision | undefined)[];
  passed: number;
}

/** The thinnest adapter there can be: Node's own server with the shared gate. */
export async function gatedServer(
  { frameworkIp, unsafeTrust, route, parse = true, ...options }: GatedServerOptions,
  gates = 1,
): Promise<GatedServer> {
  const mounted = Array.from({ length: gates }, () => createRequestGate<Args>(options));
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = parse ? await parseBody(request) : undefined;
    const gated: GatedRequest<Args> = {
      args: [request, response],
      request,
      response,
      ip: frameworkIp ?? request.socket.remoteAddress,
      body,
      route,
      unsafeTrust: () => unsafeTrust,
      attach: (decision) => void server.decisions.push(decision),
      addHeader: (name, value) => void response.appendHeader(name, value),
      sendReply: ({ status, headers, body: text }) =>
        void response.writeHead(status, headers).end(text),
      isAnswered: () => response.headersSent,
    };
    for (const gate of mounted) if (!(await gate.guard(gated))) return;
    server.passed++;
    response.end("passed");
  };
  const port = await serve((request, response) => {
    handle(request, response).catch(() => response.writeHead(500).end("unhandled"));
  });
  const server: GatedServer = { port, decisions: [], passed: 0 };
  return server;
}

async function parseBody(request: IncomingMessage): Promise<unknown> {
  const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  return text === "" ? undefined : (JSON.parse(text) as unknown);
}

/** What a sign-up form sends; the answer with its text. */
export async function signUp(
  port: number,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/signup`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createMemorySeenStore,
  type HandlerContext,
  isRiskGateError,
  type Receipt,
  type Secrets,
  SIGNATURE_HEADER,
  type WebhookHandlers,
} from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import { exchange } from "../http/http-exchange.js";

export interface HeardDelivery {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  /** Id of the secret that matched. */
  readonly secret?: string;
  readonly duplicates: number;
  readonly forwarded?: Forwarded;
  /** New payloads of a verified delivery, as they were sent. */
  readonly payloads: readonly Readonly<Record<string, unknown>>[];
}

/** Response of the application behind a listener, or the error. */
export interface Forwarded {
  readonly status?: number;
  readonly error?: string;
  readonly elapsedMs: number;
}

export interface ListenerOptions {
  readonly secrets: Secrets;
  readonly maxBytes: number;
  /** Response status instead of a success. */
  readonly answer?: number;
  /** Receives verified deliveries, byte for byte; its response is returned. */
  readonly forwardTo?: URL;
}

const SIGNED_HEADERS = [
  SIGNATURE_HEADER,
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
] as const;

/** A sender waits this long for a response. */
const FORWARD_TIMEOUT_MS = 10_000;

/** Response status if the application cannot be reached. */
const BAD_GATEWAY = 502;

/** Creates a handler for `createServer` that verifies deliveries like an application. */
export function createWebhookListener({
  secrets,
  maxBytes,
  answer,
  forwardTo,
}: ListenerOptions): (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<HeardDelivery> {
  const seen = createMemorySeenStore();
  return async (request, response) => {
    const payloads: HandlerContext["raw"][] = [];
    let receipt: Receipt | undefined;
    // One endpoint per request, so that its handlers receive only this delivery.
    const endpoint = createWebhookEndpoint({
      secrets,
      maxBytes,
      seen,
      on: handlersOf((raw) => payloads.push(raw)),
      onReceipt: (made) => (receipt = made),
    });
    const refusal = endpoint.refuse(request);
    // Forwards the bytes as received.
    const body = refusal || !forwardTo ? undefined : await readUpTo(request, maxBytes);
    const reply = refusal ?? (await endpoint.accept(request, body));
    const isGood = reply.status <= 299;
    const forwarded =
      isGood && forwardTo && body ? await forward(forwardTo, request, body) : undefined;
    const status = isGood ? (answer ?? statusOf(forwarded) ?? reply.status) : reply.status;
    response.writeHead(status, forwarded ? {} : reply.headers).end(forwarded ? "" : reply.body);
    return {
      method: request.method ?? "",
      path: request.url ?? "",
      status,
      ...(!isGood && { code: codeOf(reply.body) }),
      ...(receipt?.secretId !== undefined && { secret: receipt.secretId }),
      ...(forwarded && { forwarded }),
      duplicates: receipt?.duplicates ?? 0,
      payloads,
    };
  };
}

async function readUpTo(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // The connection stays open, so that it can return the refusal.
    const body: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
    for await (const chunk of body) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch {
    // The sender has gone; the partial body fails the signature check.
  }
  return Buffer.concat(chunks);
}

async function forward(
  url: URL,
  { headers }: IncomingMessage,
  body: Uint8Array,
): Promise<Forwarded> {
  const startedMs = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedMs);
  try {
    const { status } = await exchange(url, {
      method: "POST",
      headers: {
        "content-type": headers["content-type"] ?? "application/json",
        ...Object.fromEntries(
          SIGNED_HEADERS.flatMap((name) => {
            const value = headers[name];
            return value === undefined ? [] : [[name, String(value)]];
          }),
        ),
      },
      body,
      timeoutMs: FORWARD_TIMEOUT_MS,
    });
    return { status, elapsedMs: elapsedMs() };
  } catch (error) {
    if (!isRiskGateError(error)) throw error;
    return { error: error.message, elapsedMs: elapsedMs() };
  }
}

function statusOf(forwarded: Forwarded | undefined): number | undefined {
  return forwarded && (forwarded.status ?? BAD_GATEWAY);
}

function handlersOf(hear: (raw: HandlerContext["raw"]) => void): WebhookHandlers {
  const handler = (_: unknown, { raw }: HandlerContext): void => hear(raw);
  return {
    security_event: handler,
    pulse: handler,
    security_response: handler,
    test: handler,
    unknown: handler,
  };
}

function codeOf(problem: string): string {
  return (JSON.parse(problem) as { code: string }).code;
}

import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { SecretValue } from "@riskgate/core";
import type { DestinationRule } from "./destination-rule.js";
import type { EndpointUrl } from "./endpoint-url.js";
import { DESTINATION_BLOCKED, guardedLookup, type Resolve } from "@riskgate/core/address";
import { type DeliverySignatures, requestHeaders, signDelivery } from "./request-headers.js";
import { createRedaction, type Redaction } from "./redaction.js";

/** Maximum number of bytes of a response body that are read and stored. */
const MAX_EXCERPT_BYTES = 16_384;

export interface AttemptOrder {
  readonly url: EndpointUrl;
  /** The bytes that are signed and sent. */
  readonly body: Uint8Array;
  /** Secrets in force; the first signs the body alone. */
  readonly secrets: readonly [SecretValue, ...SecretValue[]];
  /** Same for every attempt of a delivery. */
  readonly deliveryId: string;
  /** Time of this attempt, which is signed with the body. */
  readonly epochMs: number;
  readonly isPermitted: DestinationRule;
  readonly resolve: Resolve;
  /** Time limit for the whole attempt, from resolving the host to the end of the response. */
  readonly timeoutMs: number;
  /** PEM text of certificate authorities to trust instead of the default ones. */
  readonly ca?: string | undefined;
  /** Aborts the attempt with the error `ABORTED`. */
  readonly signal?: AbortSignal;
  /** Pool of connections, all opened under the same rule; if missing, a new connection is opened. */
  readonly agent?: Agent;
}

/** Result of an attempt. Only the status matters: a truncated body does not. */
export interface AttemptOutcome {
  readonly status: number | null;
  /** Why there is no status: `TIMEOUT`, `ABORTED`, `DESTINATION_BLOCKED`, or a Node error code. */
  readonly error: string | null;
  readonly location: string | null;
  readonly excerpt: string | null;
  readonly retryAfter: string | undefined;
}

/** Returns true if the endpoint accepted the delivery. Source: specification, Delivery rules. */
export function isDelivered({ status }: AttemptOutcome): boolean {
  return status !== null && status >= 200 && status <= 299;
}

/**
 * Posts a signed body once. The promise never rejects because of the endpoint.
 *
 * If a reused connection turns out to be closed, a new one is opened.
 *
 * @throws {RiskGateError} CONFIG_INVALID if the secret cannot sign.
 */
export function attempt(order: AttemptOrder): Promise<AttemptOutcome> {
  const { deliveryId, body, secrets, epochMs } = order;
  const signatures = signDelivery(deliveryId, body, secrets, epochMs);
  const { protocol, host, hostname, port, path, isAddress } = order.url;
  const isPermitted = (ip: string): boolean => order.isPermitted(ip, port);
  if (isAddress && !isPermitted(hostname)) {
    return Promise.resolve(failure(DESTINATION_BLOCKED));
  }

  const request = protocol === "https:" ? requestHttps : requestHttp;
  // As a list, which Node sends unchanged; it would validate each name in an object.
  const open = (agent: Agent | false): ClientRequest =>
    request({
      protocol,
      hostname,
      port,
      path,
      method: "POST",
      agent,
      lookup: guardedLookup(order.resolve, isPermitted),
      // Explicit, because an environment variable can change the default.
      rejectUnauthorized: true,
      ...(order.ca !== undefined && { ca: order.ca }),
      headers: requestHeaders(host, body, signatures).flat(),
    });
  return follow(open, order, signatures);
}

function follow(
  open: (agent: Agent | false) => ClientRequest,
  order: AttemptOrder,
  { integrity, standard }: DeliverySignatures,
): Promise<AttemptOutcome> {
  const { body, secrets, timeoutMs, signal, agent } = order;
  const removed = [integrity, ...(standard["webhook-signature"]?.split(" ") ?? [])];
  return new Promise((resolve) => {
    let request: ClientRequest | undefined;
    let response: IncomingMessage | undefined;
    let isOver = false;
    let excerpt: Buffer | undefined;

    const finish = (error: string): void => {
      // Later errors on a connection that is being destroyed are irrelevant.
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      // A connection can be reused only after a complete exchange.
      if (!response?.complete || !request?.writableFinished) request?.destroy();
      if (!response) resolve(failure(error));
      else {
        const redact = createRedaction([...removed, ...secrets], body);
        resolve(answered(response, excerpt, redact));
      }
    };
    const deadline = setTimeout(finish, timeoutMs, "TIMEOUT");
    const onAbort = (): void => finish("ABORTED");
    signal?.addEventListener("abort", onAbort);

    const send = (through: Agent | false): void => {
      const sent = open(through);
      request = sent;
      sent.on("response", (incoming) => {
        response = incoming;
        incoming.on("data", (chunk: Buffer) => {
          excerpt = excerpt ? Buffer.concat([excerpt, chunk]) : chunk;
          if (excerpt.length >= MAX_EXCERPT_BYTES) finish("");
        });
        const end = (): void => finish("");
        incoming.on("end", end).on("close", end).on("error", end);
      });
      const fail = (error: string): void => {
        // The receiver may close an idle connection at any time, even just before it is reused.
        if (sent.reusedSocket && !response && !isOver) send(false);
        else finish(error);
      };
      sent.on("error", (error) => sent === request && fail(codeOf(error)));
      sent.on("close", () => sent === request && fail("ECONNRESET"));
      sent.end(body);
    };
    if (signal?.aborted === true) onAbort();
    else send(agent ?? false);
  });
}

/** Returns the outcome of an attempt without a response. */
export function failure(error: string): AttemptOutcome {
  return { status: null, error, location: null, excerpt: null, retryAfter: undefined };
}

function answered(
  response: IncomingMessage,
  excerpt: Buffer | undefined,
  redact: Redaction,
): AttemptOutcome {
  const { location, "retry-after": retryAfter } = response.headers;
  return {
    status: response.statusCode ?? null,
    error: null,
    location: location === undefined ? null : redact(Buffer.from(location), 2048),
    excerpt: excerpt ? redact(excerpt, MAX_EXCERPT_BYTES) : null,
    retryAfter,
  };
}

/** Returns the code of an error, but not its message, which can quote the response. */
function codeOf(error: Error & { code?: unknown }): string {
  const { code } = error;
  return typeof code === "string" && /^[A-Z0-9_]+$/.test(code) ? code : "NETWORK";
}

import type { IncomingMessage } from "node:http";
import { monotonicMs } from "../base/clock.js";
import { createDeadlines } from "../base/deadline.js";
import { createErrorReport } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { isJsonInUtf8 } from "./media-type.js";
import { invalid, positiveInteger } from "../base/option.js";
import { isRefusalCode, problemReply, type RefusalCode, type Reply } from "../base/problem.js";
import { discardBody, readBody } from "./read-body.js";
import { createIntake, type ReceiverOptions } from "./receiver.js";
import { isSignature, SIGNATURE_HEADER } from "./signature.js";
import { isThenable } from "../base/awaitable.js";
import { warn } from "../base/warning.js";

/** Options of a webhook route, the same in every framework. */
export interface WebhookOptions extends ReceiverOptions {
  /** Largest body, in bytes; default 5 MiB, which a full delivery of 1,000 payloads needs. */
  readonly maxBytes?: number;
  /** Time for the body to arrive, in milliseconds; default 10,000. */
  readonly bodyTimeoutMs?: number;
  /** Header that carries the signature; default `x-service-integrity`. */
  readonly signatureHeader?: string;
}

/** A webhook in terms of Node's own requests: what an adapter mounts. */
export interface WebhookEndpoint {
  /** Refuse a request for what its head says, or give undefined when its body is worth reading. */
  refuse(request: IncomingMessage): Reply | undefined;
  /**
   * Answer a request that {@link WebhookEndpoint.refuse} let pass, reading its body.
   *
   * @param captured Body that the host or a raw parser has read already: bytes are used as they are,
   * anything else is no replacement for the bytes and is not looked at.
   */
  accept(request: IncomingMessage, captured?: unknown): Promise<Reply>;
  /** Refuse a request, or answer it. */
  answer(request: IncomingMessage, captured?: unknown): Promise<Reply>;
}

/**
 * Make the webhook that all adapters share.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createWebhookEndpoint(options: WebhookOptions): WebhookEndpoint {
  const intake = createIntake(options);
  const report = createErrorReport(options.onError);
  const maxBytes = positiveInteger("maxBytes", options.maxBytes, 5 * 1024 * 1024);
  const deadlines = createDeadlines(
    positiveInteger("bodyTimeoutMs", options.bodyTimeoutMs, 10_000),
    monotonicMs,
  );
  const { signatureHeader = SIGNATURE_HEADER } = options;
  if (typeof signatureHeader !== "string" || !/^[\w-]+$/.test(signatureHeader)) {
    throw invalid("signatureHeader", "the name of a header", signatureHeader);
  }
  const header = signatureHeader.toLowerCase();

  const refuse = (request: IncomingMessage): Reply | undefined => {
    const code = refusalOf(request, header, maxBytes);
    if (!code) return undefined;
    const extra: Record<string, string> = code === "METHOD_NOT_ALLOWED" ? { allow: "POST" } : {};
    if (declaredBytes(request) > maxBytes) extra.connection = "close";
    else discardBody(request, maxBytes, deadlines);
    return problemReply(code, extra);
  };

  const read = (request: IncomingMessage, captured: unknown): Promise<Uint8Array> => {
    if (captured instanceof Uint8Array) {
      if (captured.length <= maxBytes) return Promise.resolve(captured);
      throw new RiskGateError("BODY_TOO_LARGE", "the captured body is over `maxBytes`");
    }
    // These two flags are set whoever has read the stream, so that no parser needs to be known.
    if (!request.readableDidRead && !request.readableEnded) {
      return readBody(request, maxBytes, deadlines);
    }
    const message = "the request body was read before the webhook route";
    const error = new RiskGateError("RAW_BODY_UNAVAILABLE", message);
    warn("RISKGATE_RAW_BODY_UNAVAILABLE", `${message}. ${error.hint}`);
    throw error;
  };

  const accept = async (request: IncomingMessage, captured: unknown): Promise<Reply> => {
    try {
      const body = await read(request, captured);
      const receiving = intake.receive({ body, signature: request.headers[header] });
      const receipt = isThenable(receiving) ? await receiving : receiving;
      if (receipt.code) return problemReply(receipt.code);
      return { status: receipt.status, headers: NO_HEADERS, body: "" };
    } catch (error) {
      if (!isRiskGateError(error) || !isRefusalCode(error.code)) throw error;
      // Without a hook the warning of its own says more.
      if (error.code === "RAW_BODY_UNAVAILABLE" && options.onError) report(error);
      // The rest of a body that is not read would be taken for the next request.
      return problemReply(error.code, { connection: "close" });
    }
  };

  return {
    refuse,
    accept,
    answer(request, captured) {
      const refusal = refuse(request);
      return refusal ? Promise.resolve(refusal) : accept(request, captured);
    },
  };
}

const NO_HEADERS: Reply["headers"] = Object.freeze({});

/** What the head of a request is refused for, the cheapest and most telling reason first. */
function refusalOf(
  request: IncomingMessage,
  header: string,
  maxBytes: number,
): RefusalCode | undefined {
  const { method, headers } = request;
  if (method !== "POST") return "METHOD_NOT_ALLOWED";
  if (!isSignature(headers[header])) return "SIGNATURE_INVALID";
  const encoding = headers["content-encoding"];
  const isPlain = encoding === undefined || encoding.trim().toLowerCase() === "identity";
  if (!isPlain || !isJsonInUtf8(headers["content-type"] ?? "")) return "UNSUPPORTED_MEDIA_TYPE";
  return declaredBytes(request) > maxBytes ? "BODY_TOO_LARGE" : undefined;
}

function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers["content-length"] ?? 0);
}

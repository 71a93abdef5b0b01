import type { IncomingMessage } from "node:http";
import { createErrorReport } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { isJsonInUtf8 } from "./media-type.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { isRefusalCode, problemReply, type RefusalCode, type Reply } from "../base/problem.js";
import { discardBody, readBody } from "./read-body.js";
import { readReceiverOptions, type ReceiverOptions, receiverWith } from "./receiver.js";
import { isSignature, SIGNATURE_HEADER } from "./signature.js";
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
  /** Refuse a request by its head, or return undefined when its body is worth reading. */
  refuse(request: IncomingMessage): Reply | undefined;
  /**
   * Answer a request that {@link WebhookEndpoint.refuse} let pass, reading its body.
   *
   * @param captured Body that the host or a raw parser has read already: bytes are used as they are,
   * anything else cannot replace the bytes and is ignored.
   */
  accept(request: IncomingMessage, captured?: unknown): Promise<Reply>;
  /** Refuse a request, or answer it. */
  answer(request: IncomingMessage, captured?: unknown): Promise<Reply>;
}

/**
 * Make the webhook that all adapters share.
 *
 * @param factory Name of the function that was called, for the messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createWebhookEndpoint(
  options: WebhookOptions,
  factory = "createWebhookEndpoint",
): WebhookEndpoint {
  const settings = readOptions(factory, options, readWebhookOptions);
  const { header, maxBytes, bodyTimeoutMs } = settings;
  const receiver = receiverWith(settings);
  const report = createErrorReport(settings.onError);

  const refuse = (request: IncomingMessage): Reply | undefined => {
    const code = refusalOf(request, header, maxBytes);
    if (!code) return undefined;
    const extra: Record<string, string> = code === "METHOD_NOT_ALLOWED" ? { allow: "POST" } : {};
    if (declaredBytes(request) > maxBytes) extra.connection = "close";
    else discardBody(request, maxBytes, bodyTimeoutMs);
    return problemReply(code, extra);
  };

  const read = (request: IncomingMessage, captured: unknown): Promise<Uint8Array> => {
    if (captured instanceof Uint8Array) {
      if (captured.length <= maxBytes) return Promise.resolve(captured);
      throw new RiskGateError("BODY_TOO_LARGE", "the captured body is over `maxBytes`");
    }
    // These two flags are set whatever has read the stream: no parser needs to be known by name.
    if (!request.readableDidRead && !request.readableEnded) {
      return readBody(request, maxBytes, bodyTimeoutMs);
    }
    const message = "the request body was read before the webhook route";
    const error = new RiskGateError("RAW_BODY_UNAVAILABLE", message);
    warn("RISKGATE_RAW_BODY_UNAVAILABLE", `${message}. ${error.hint}`);
    throw error;
  };

  const accept = async (request: IncomingMessage, captured: unknown): Promise<Reply> => {
    try {
      const body = await read(request, captured);
      const receipt = await receiver.receive({ body, signature: request.headers[header] });
      if (receipt.code) return problemReply(receipt.code);
      return { status: receipt.status, headers: NO_HEADERS, body: "" };
    } catch (error) {
      if (!isRiskGateError(error) || !isRefusalCode(error.code)) throw error;
      // Without a hook, its own warning is more precise.
      if (error.code === "RAW_BODY_UNAVAILABLE" && settings.onError) report(error);
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

function readWebhookOptions(options: OptionReader) {
  const header = options.string("signatureHeader") ?? SIGNATURE_HEADER;
  if (!/^[\w-]+$/.test(header)) options.refuse("signatureHeader", "the name of a header", header);
  return {
    ...readReceiverOptions(options),
    maxBytes: options.integer("maxBytes", 5 * 1024 * 1024),
    bodyTimeoutMs: options.durationMs("bodyTimeoutMs", 10_000),
    header: header.toLowerCase(),
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

import type { IncomingMessage } from "node:http";
import { createErrorReport } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { isJsonInUtf8 } from "./media-type.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { isRefusalCode, problemReply, type RefusalCode, type Reply } from "../base/problem.js";
import { BodyMemory } from "./body-memory.js";
import {
  type BodyLimits,
  declaredBytes,
  discardBody,
  isBodyRead,
  isBodyTaken,
  leaveBody,
  readBody,
} from "./read-body.js";
import { readReceiverOptions, type ReceiverOptions, receiverWith } from "./receiver.js";
import { isSignature, SIGNATURE_HEADER } from "./signature.js";
import { warn } from "../base/warning.js";

/** Options of a webhook route, the same in every framework. */
export interface WebhookOptions extends ReceiverOptions {
  /** Largest body, in bytes; default 5 MiB, which a full delivery of 1,000 payloads needs. */
  readonly maxBytes?: number;
  /**
   * Most memory for all bodies that arrive at the same time, in bytes; default 32 MiB, or `maxBytes`
   * where that is more. A delivery beyond it is answered 503.
   */
  readonly maxTotalBytes?: number;
  /** Time for the body to arrive, in milliseconds; default 10,000. */
  readonly bodyTimeoutMs?: number;
  /** Header that carries the signature; default `x-service-integrity`. */
  readonly signatureHeader?: string;
}

/** A webhook in terms of Node's own requests: what an adapter mounts. */
export interface WebhookEndpoint {
  /**
   * Refuse a request by its head, or return undefined when its body is worth reading.
   *
   * @param captured As for {@link WebhookEndpoint.accept}, where it is known by then.
   */
  refuse(request: IncomingMessage, captured?: unknown): Reply | undefined;
  /**
   * Answer a request that {@link WebhookEndpoint.refuse} let pass, reading its body. Bytes that a host
   * or a raw parser has left in `rawBody` or `body` of the request are used as they are.
   *
   * @param captured Body that was left elsewhere: anything but bytes cannot replace the bytes and is
   * ignored.
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
  const { header, limits } = settings;
  const receiver = receiverWith(settings);
  const report = createErrorReport(settings.onError);

  const refuse = (request: IncomingMessage, captured?: unknown): Reply | undefined => {
    const code = refusalOf(request, header, limits.maxBytes);
    if (!code) return undefined;
    // A sender that does not sign yet is how a wrong mount shows first.
    if (isBodyRead(request) && !bytesOf(request, captured)) warnOfMount(bodyUnavailable());
    const extra: Record<string, string> = code === "METHOD_NOT_ALLOWED" ? { allow: "POST" } : {};
    return problemReply(code, { ...extra, ...discardBody(request, limits) });
  };

  const read = (request: IncomingMessage, captured: unknown): Promise<Uint8Array> => {
    const bytes = bytesOf(request, captured);
    if (!bytes) {
      if (isBodyTaken(request)) throw bodyUnavailable();
      return readBody(request, limits);
    }
    if (bytes.length <= limits.maxBytes) return Promise.resolve(bytes);
    throw new RiskGateError("BODY_TOO_LARGE", "the captured body is over `maxBytes`");
  };

  const accept = async (request: IncomingMessage, captured?: unknown): Promise<Reply> => {
    try {
      const body = await read(request, captured);
      const receipt = await receiver.receive({ body, signature: request.headers[header] });
      if (receipt.code) return problemReply(receipt.code);
      return receipt.status === 202 ? STORED : HANDLED;
    } catch (error) {
      if (!isRiskGateError(error) || !isRefusalCode(error.code)) throw error;
      const { code } = error;
      if (code === "RAW_BODY_UNAVAILABLE") warnOfMount(error);
      // Without a hook, the warning above is more precise.
      if (code === "RECEIVER_BUSY" || (code === "RAW_BODY_UNAVAILABLE" && settings.onError)) {
        report(error);
      }
      const rest = code === "RECEIVER_BUSY" ? discardBody(request, limits) : leaveBody(request);
      return problemReply(code, rest);
    }
  };

  return {
    refuse,
    accept,
    answer(request, captured) {
      const refusal = refuse(request, captured);
      return refusal ? Promise.resolve(refusal) : accept(request, captured);
    },
  };
}

function readWebhookOptions(options: OptionReader) {
  const header = options.string("signatureHeader") ?? SIGNATURE_HEADER;
  if (!/^[\w-]+$/.test(header)) options.refuse("signatureHeader", "the name of a header", header);
  const maxBytes = options.integer("maxBytes", 5 * MIB);
  const totalBytes = Math.max(32 * MIB, maxBytes);
  const limits: BodyLimits = {
    maxBytes,
    timeoutMs: options.durationMs("bodyTimeoutMs", 10_000),
    memory: new BodyMemory(options.integer("maxTotalBytes", totalBytes, { min: maxBytes })),
  };
  return { ...readReceiverOptions(options), header: header.toLowerCase(), limits };
}

const MIB = 1_048_576;

const HANDLED: Reply = { status: 204, headers: Object.freeze({}), body: "" };
// Without its length, an answer without a body is framed differently by each framework.
const STORED: Reply = { status: 202, headers: Object.freeze({ "content-length": "0" }), body: "" };

/** Body that something else has read from the stream, and kept as bytes. */
function bytesOf(request: IncomingMessage, captured: unknown): Uint8Array | undefined {
  const { rawBody, body } = request as { readonly rawBody?: unknown; readonly body?: unknown };
  // Only bytes count: the text that parsers keep has lost a BOM and invalid UTF-8 already.
  return [captured, rawBody, body].find((value) => value instanceof Uint8Array);
}

function bodyUnavailable(): RiskGateError {
  return new RiskGateError("RAW_BODY_UNAVAILABLE", "the request body was read before its route");
}

function warnOfMount({ hint }: RiskGateError): void {
  const message = "the request body was read before the webhook route";
  warn("RISKGATE_RAW_BODY_UNAVAILABLE", `${message}. ${hint}`);
}

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
  return (declaredBytes(request) ?? 0) > maxBytes ? "BODY_TOO_LARGE" : undefined;
}

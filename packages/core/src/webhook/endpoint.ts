import { createErrorReport } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { isJsonInUtf8 } from "./media-type.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { isRefusalCode, problemReply, type RefusalCode, type Reply } from "../base/problem.js";
import type { BodyLimits } from "./body-memory.js";
import { type BodyLimitOptions, readBodyLimits } from "./body-limits.js";
import { readReceiverOptions, type ReceiverOptions, receiverWith } from "./receiver.js";
import { isSignature, SIGNATURE_HEADER } from "./signature.js";
import { warn } from "../base/warning.js";

/** Options of a webhook route, the same in every framework. */
export interface WebhookOptions extends ReceiverOptions, BodyLimitOptions {
  /** Header that carries the signature; default `x-service-integrity`. */
  readonly signatureHeader?: string;
}

export interface DeliverySource<Request> {
  /** Returns the value of a header, by its name in lower case. */
  header(request: Request, name: string): string | readonly string[] | undefined;
  /** Whether something has read some of the body already. */
  isRead(request: Request): boolean;
  /** Whether the bytes of the body are out of reach. */
  isTaken(request: Request): boolean;
  /** Reads the body as it comes; rejects with a RiskGateError that has the code of a refusal. */
  read(request: Request, limits: BodyLimits): Promise<Uint8Array>;
  /** Reads and ignores the rest of a refused body. Returns headers for the answer. */
  discard(request: Request, limits: BodyLimits): Record<string, string>;
  /** Leaves the rest of a body unread. Returns headers for the answer. */
  leave(request: Request): Record<string, string>;
}

/** A webhook that knows no framework. */
export interface DeliveryEndpoint<Request> {
  /**
   * Refuses a request by its head, or returns undefined if its body is worth reading.
   *
   * @param kept Body that something else has read, and stored as bytes.
   */
  refuse(request: Request, kept?: Uint8Array): Reply | undefined;
  /** Answers a request that was not refused, reading its body. */
  accept(request: Request, kept?: Uint8Array): Promise<Reply>;
}

/**
 * Creates the webhook that all adapters share.
 *
 * @param factory Name of the function that was called, for the messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createDeliveryEndpoint<Request extends { readonly method?: string | undefined }>(
  options: WebhookOptions,
  factory: string,
  source: DeliverySource<Request>,
): DeliveryEndpoint<Request> {
  const settings = readOptions(factory, options, readWebhookOptions);
  const { header, limits } = settings;
  const receiver = receiverWith(settings);
  const report = createErrorReport(settings.onError);

  /** Finds what the head of a request is refused for, the cheapest and most telling reason first. */
  const refusalOf = (request: Request): RefusalCode | undefined => {
    if (request.method !== "POST") return "METHOD_NOT_ALLOWED";
    if (!isSignature(source.header(request, header))) return "SIGNATURE_INVALID";
    const encoding = String(source.header(request, "content-encoding") ?? "identity");
    const isPlain = encoding.trim().toLowerCase() === "identity";
    if (!isPlain || !isJsonInUtf8(source.header(request, "content-type"))) {
      return "UNSUPPORTED_MEDIA_TYPE";
    }
    const bytes = lengthOf(source.header(request, "content-length")) ?? 0;
    return bytes > limits.maxBytes ? "BODY_TOO_LARGE" : undefined;
  };

  return {
    refuse(request, kept) {
      const code = refusalOf(request);
      if (!code) return undefined;
      // A sender that does not sign yet is how a wrong mount shows first.
      if (!kept && source.isRead(request)) warnOfMount(bodyUnavailable());
      const extra: Record<string, string> = code === "METHOD_NOT_ALLOWED" ? { allow: "POST" } : {};
      return problemReply(code, { ...extra, ...source.discard(request, limits) });
    },
    async accept(request, kept) {
      try {
        if (!kept && source.isTaken(request)) throw bodyUnavailable();
        if (kept && kept.length > limits.maxBytes) {
          throw new RiskGateError("BODY_TOO_LARGE", "the captured body is over `maxBytes`");
        }
        const body = kept ?? (await source.read(request, limits));
        const receipt = await receiver.receive({ body, signature: source.header(request, header) });
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
        const isBusy = code === "RECEIVER_BUSY";
        const rest = isBusy ? source.discard(request, limits) : source.leave(request);
        return problemReply(code, rest);
      }
    },
  };
}

/** Length of a body by its header; undefined without one. */
export function lengthOf(header: unknown): number | undefined {
  return typeof header === "string" && /^\d+$/.test(header) ? Number(header) : undefined;
}

function readWebhookOptions(options: OptionReader) {
  const header = options.string("signatureHeader") ?? SIGNATURE_HEADER;
  if (!/^[\w-]+$/.test(header)) options.refuse("signatureHeader", "the name of a header", header);
  const limits = readBodyLimits(options);
  return { ...readReceiverOptions(options), header: header.toLowerCase(), limits };
}

const HANDLED: Reply = { status: 204, headers: Object.freeze({}), body: "" };
// Without its length, an answer without a body is framed differently by each framework.
const STORED: Reply = { status: 202, headers: Object.freeze({ "content-length": "0" }), body: "" };

function bodyUnavailable(): RiskGateError {
  return new RiskGateError("RAW_BODY_UNAVAILABLE", "the request body was read before its route");
}

function warnOfMount({ hint }: RiskGateError): void {
  const message = "the request body was read before the webhook route";
  warn("RISKGATE_RAW_BODY_UNAVAILABLE", `${message}. ${hint}`);
}

import { createErrorReport } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { isJsonInUtf8 } from "./media-type.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { isRefusalCode, problemReply, type RefusalCode, type Reply } from "../base/problem.js";
import type { BodyLimits } from "./body-memory.js";
import { type BodyLimitOptions, readBodyLimits } from "./body-limits.js";
import { readReceiverOptions, type ReceiverOptions, receiverWith } from "./receiver.js";
import type { DeliveryHeaders, SignatureScheme } from "./delivery-check.js";
import { SIGNATURE_HEADER } from "./signature.js";
import { warn } from "../base/warning.js";

/** Options for a webhook route, the same in every framework. */
export interface WebhookOptions extends ReceiverOptions, BodyLimitOptions {
  /** Header that contains the signature; default `x-service-integrity`. */
  readonly signatureHeader?: string;
}

export interface DeliverySource<Request> {
  header(request: Request, name: string): string | readonly string[] | undefined;
  isRead(request: Request): boolean;
  /** Returns true if the bytes of the body are no longer available. */
  isTaken(request: Request): boolean;
  /** Reads the body as received; rejects with a RiskGateError that has a refusal code. */
  read(request: Request, limits: BodyLimits): Promise<Uint8Array>;
  /** Reads and ignores the remainder of a refused body. Returns response headers. */
  discard(request: Request, limits: BodyLimits): Record<string, string>;
  /** Leaves the remainder of a body unread. Returns response headers. */
  leave(request: Request): Record<string, string>;
}

/** A framework-independent webhook. */
export interface DeliveryEndpoint<Request> {
  /**
   * Refuses a request by its head, or returns undefined if its body should be read.
   * @param kept Body that other code has read and stored as bytes.
   */
  refuse(request: Request, kept?: Uint8Array): Reply | undefined;
  /** Reads the body of a request that was not refused, and responds. */
  accept(request: Request, kept?: Uint8Array): Promise<Reply>;
}

/**
 * Creates the webhook that all adapters share.
 * @param factory Name of the function that was called, for messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createDeliveryEndpoint<Request extends { readonly method?: string | undefined }>(
  options: WebhookOptions,
  factory: string,
  source: DeliverySource<Request>,
): DeliveryEndpoint<Request> {
  const settings = readOptions(factory, options, readWebhookOptions);
  const { check, header, limits } = settings;
  const receiver = receiverWith(settings);
  const report = createErrorReport(settings.onError);

  const headersOf = (request: Request): DeliveryHeaders => {
    const find = (name: string) => source.header(request, name);
    const prefix = PREFIXES[check.scheme].find((one) => find(`${one}signature`) !== undefined);
    const standard = prefix && {
      id: find(`${prefix}id`),
      timestamp: find(`${prefix}timestamp`),
      signature: find(`${prefix}signature`),
    };
    return { signature: find(header), standard: standard || undefined };
  };

  /**
   * Returns why the head of a request is refused; the cheapest and most informative check is first.
   */
  const refusalOf = (request: Request): RefusalCode | undefined => {
    if (request.method !== "POST") return "METHOD_NOT_ALLOWED";
    const refusal = check.refusalOf(headersOf(request));
    if (refusal) return refusal;
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
      // A mount in the wrong order shows first with a sender that does not sign yet.
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
        const receipt = await receiver.receive({ body, ...headersOf(request) });
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

/** Some services send the headers of Standard Webhooks under the name of a product. */
const PREFIXES: Readonly<Record<SignatureScheme, readonly string[]>> = {
  service: ["webhook-"],
  standard: ["webhook-", "svix-"],
};

/** Returns the body length from its header; undefined without one. */
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
// Without Content-Length, each framework frames an empty response differently.
const STORED: Reply = { status: 202, headers: Object.freeze({ "content-length": "0" }), body: "" };

function bodyUnavailable(): RiskGateError {
  return new RiskGateError("RAW_BODY_UNAVAILABLE", "the request body was read before its route");
}

function warnOfMount({ hint }: RiskGateError): void {
  const message = "the request body was read before the webhook route";
  warn("RISKGATE_RAW_BODY_UNAVAILABLE", `${message}. ${hint}`);
}

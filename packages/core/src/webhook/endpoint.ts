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

/** One delivery on its way in: what an endpoint reads of a request, and does to its body. */
export interface ArrivingDelivery {
  readonly method: string | undefined;
  /** Value of a header, by its name in lower case. */
  header(name: string): string | readonly string[] | undefined;
  /** Body that something else has read, and kept as bytes. */
  readonly kept: Uint8Array | undefined;
  /** Something has read some of the body already. */
  readonly isRead: boolean;
  /** The bytes of the body are out of reach. */
  readonly isTaken: boolean;
  /** Read the body as it comes; rejects with a RiskGateError that has the code of a refusal. */
  read(limits: BodyLimits): Promise<Uint8Array>;
  /** Let the rest of a refused body run off. Returns headers for the answer. */
  discard(limits: BodyLimits): Record<string, string>;
  /** Leave the rest of a body unread. Returns headers for the answer. */
  leave(): Record<string, string>;
}

/** A webhook that knows no framework. */
export interface DeliveryEndpoint {
  /** Refuse a request by its head, or return undefined when its body is worth reading. */
  refuse(arriving: ArrivingDelivery): Reply | undefined;
  /** Answer a request that was not refused, reading its body. */
  accept(arriving: ArrivingDelivery): Promise<Reply>;
}

/**
 * Make the webhook that all adapters share.
 *
 * @param factory Name of the function that was called, for the messages.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createDeliveryEndpoint(options: WebhookOptions, factory: string): DeliveryEndpoint {
  const settings = readOptions(factory, options, readWebhookOptions);
  const { header, limits } = settings;
  const receiver = receiverWith(settings);
  const report = createErrorReport(settings.onError);

  const read = (arriving: ArrivingDelivery): Promise<Uint8Array> => {
    const { kept } = arriving;
    if (!kept) {
      if (arriving.isTaken) throw bodyUnavailable();
      return arriving.read(limits);
    }
    if (kept.length <= limits.maxBytes) return Promise.resolve(kept);
    throw new RiskGateError("BODY_TOO_LARGE", "the captured body is over `maxBytes`");
  };

  return {
    refuse(arriving) {
      const code = refusalOf(arriving, header, limits.maxBytes);
      if (!code) return undefined;
      // A sender that does not sign yet is how a wrong mount shows first.
      if (arriving.isRead && !arriving.kept) warnOfMount(bodyUnavailable());
      const extra: Record<string, string> = code === "METHOD_NOT_ALLOWED" ? { allow: "POST" } : {};
      return problemReply(code, { ...extra, ...arriving.discard(limits) });
    },
    async accept(arriving) {
      try {
        const body = await read(arriving);
        const receipt = await receiver.receive({ body, signature: arriving.header(header) });
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
        const rest = code === "RECEIVER_BUSY" ? arriving.discard(limits) : arriving.leave();
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

/** Reason to refuse a request by its head; checks the cheapest and clearest reason first. */
function refusalOf(
  arriving: ArrivingDelivery,
  header: string,
  maxBytes: number,
): RefusalCode | undefined {
  if (arriving.method !== "POST") return "METHOD_NOT_ALLOWED";
  if (!isSignature(arriving.header(header))) return "SIGNATURE_INVALID";
  const encoding = String(arriving.header("content-encoding") ?? "identity");
  const isPlain = encoding.trim().toLowerCase() === "identity";
  if (!isPlain || !isJsonInUtf8(arriving.header("content-type"))) return "UNSUPPORTED_MEDIA_TYPE";
  const bytes = lengthOf(arriving.header("content-length")) ?? 0;
  return bytes > maxBytes ? "BODY_TOO_LARGE" : undefined;
}

import { createErrorReport } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { isJsonInUtf8 } from "./media-type.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { isRefusalCode, problemReply, type RefusalCode, type Reply } from "../base/problem.js";
import type { BodyLimits } from "./body-memory.js";
import { type BodyLimitOptions, readBodyLimits } from "./body-limits.js";
import { readReceiverOptions, type ReceiverOptions, receiverWith } from "./receiver.js";
import { limitTime } from "../base/time-limit.js";
import type { Awaitable } from "../model/awaitable.js";
import type { DeliveryHeaders, SignatureScheme, VerifySender } from "./delivery-check.js";
import { SIGNATURE_HEADER, type Secrets } from "./signature.js";
import { warn } from "../base/warning.js";

/** Options for a webhook route, the same in every framework. */
export interface WebhookOptions extends Omit<ReceiverOptions, "secrets">, BodyLimitOptions {
  /**
   * One or several signing secrets, or a function that returns them for a request; any may match,
   * and the context names it. A delivery gets a 401 if the function returns undefined, and a 503 if
   * it fails or takes over 2 seconds.
   */
  readonly secrets: Secrets | ((delivery: DeliveryHead) => Awaitable<Secrets | undefined>);
  /** Header that contains the signature; default `x-service-integrity`. */
  readonly signatureHeader?: string;
}

/** The head of a delivery, which anyone can send. */
interface DeliveryHead {
  /** Path and query. */
  readonly url: string;
  /** Returns the value of a header; undefined without it, or if there are several. */
  readonly header: (name: string) => string | undefined;
}

export interface DeliverySource<Request> {
  /** Returns path and query. */
  url(request: Request): string;
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
  let unverified = 0;

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
        const verify = settings.secretsOf && (await verifierFor(request, settings, source));
        if (!kept && source.isTaken(request)) throw bodyUnavailable();
        if (kept && kept.length > limits.maxBytes) {
          throw new RiskGateError("BODY_TOO_LARGE", "the captured body is over `maxBytes`");
        }
        const body = kept ?? (await source.read(request, limits));
        const receipt = await receiver.receive({ body, ...headersOf(request) }, verify);
        const { code, status } = receipt;
        if (status !== 401) unverified = Infinity;
        else if (++unverified === DELIVERIES_UNVERIFIED) warn("RISKGATE_NO_VALID_SIGNATURE", WRONG);
        if (status === 202 && !code) return STORED;
        return code && status > 299 ? problemReply(code, {}, {}, status) : HANDLED;
      } catch (error) {
        if (!isRiskGateError(error) || !isRefusalCode(error.code)) throw error;
        const { code } = error;
        if (code === "RAW_BODY_UNAVAILABLE") warnOfMount(error);
        // Without a hook, the warning above is more precise.
        if (
          code === "SECRETS_UNAVAILABLE" ||
          code === "RECEIVER_BUSY" ||
          (code === "RAW_BODY_UNAVAILABLE" && settings.onError)
        ) {
          report(error);
        }
        const isUnread = code === "RECEIVER_BUSY" || code === "SECRETS_UNAVAILABLE";
        const rest = isUnread ? source.discard(request, limits) : source.leave(request);
        return problemReply(code, rest);
      }
    },
  };
}

/** If no delivery before this many wrong signatures had a right one, the secret is wrong. */
const DELIVERIES_UNVERIFIED = 10;

const WRONG = "no valid signature: check `secrets`";

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
  const secretsOf = secretsFunction(options);
  const receiver = readReceiverOptions(options, secretsOf === undefined);
  return { ...receiver, secretsOf, header: header.toLowerCase(), limits };
}

/** @throws {RiskGateError} SECRETS_UNAVAILABLE if the function fails, or returns unusable secrets. */
async function verifierFor<Request>(
  request: Request,
  { secretsOf, check }: ReturnType<typeof readWebhookOptions>,
  source: DeliverySource<Request>,
): Promise<VerifySender | undefined> {
  const head: DeliveryHead = {
    url: source.url(request),
    header(name) {
      const value = source.header(request, name.toLowerCase());
      return typeof value === "string" ? value : undefined;
    },
  };
  try {
    const secrets = await limitTime(Promise.resolve(secretsOf?.(head)), SECRETS_MS);
    return secrets === undefined ? undefined : check.verifierOf(secrets);
  } catch (cause) {
    throw new RiskGateError("SECRETS_UNAVAILABLE", "`secrets` failed", { cause });
  }
}

type SecretsOf = Extract<WebhookOptions["secrets"], (...args: never) => unknown>;

function secretsFunction(options: OptionReader): SecretsOf | undefined {
  const secrets = options.value("secrets");
  return typeof secrets === "function" ? (secrets as SecretsOf) : undefined;
}

const SECRETS_MS = 2_000;

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

import { callHook, callSyncHook, type HookCall } from "../base/call-hook.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { type OptionReader, readOptions } from "../base/options.js";
import { utf8 } from "../base/platform.js";
import { isRefusalCode, type RefusalCode, statusOf } from "../base/problem.js";
import { limitTime } from "../base/time-limit.js";
import { typeName } from "../base/type-name.js";
import { warn } from "../base/warning.js";
import { bodyText, type RawBody } from "./raw-body.js";
import { after } from "../model/awaitable.js";
import type { Delivery } from "../model/delivery.js";
import { deliveryChannel, type DeliveryMessage } from "./delivery-channel.js";
import { runDelivery, type RunShare, type Tally } from "./delivery-run.js";
import { type Handlers, readHandlers, type WebhookHandlers } from "./handlers.js";
import type { AcceptedDelivery, Inbox } from "./inbox.js";
import { isJsonInUtf8 } from "./media-type.js";
import { parseText, readTypeField } from "./parse-delivery.js";
import { payloadCalls } from "./payload-call.js";
import { type FailedPayload, makeReceipt, type Receipt } from "./receipt.js";
import { RunningKeys } from "./running-keys.js";
import { createMemorySeenStore, type SeenStore } from "./seen-store.js";
import {
  type DeliveryCheck,
  type DeliveryCheckOptions,
  type DeliveryHeaders,
  readDeliveryCheck,
  type VerifiedSender,
  type VerifySender,
} from "./delivery-check.js";
import { requireRaw, type Secrets } from "./signature.js";

export interface ReceiverOptions extends DeliveryCheckOptions {
  /** One or several signing secrets; any may match, and the context names it. */
  readonly secrets: Secrets;
  readonly on: WebhookHandlers;
  /**
   * Returns the status for a sender whose delivery a handler failed, 200 to 599; default 500. With a
   * status below 300, the sender does not deliver the failed payloads again. An inbox ignores it.
   */
  readonly failureStatus?: (failed: readonly FailedPayload[]) => number;
  /** Store of handled payloads; in memory by default, false to handle every redelivery again. */
  readonly seen?: SeenStore | false;
  /** Store deliveries durably, and handle them after the response. */
  readonly inbox?: Inbox;
  /** Time for the inbox to store a delivery, in milliseconds; default 2,000. */
  readonly inboxTimeoutMs?: number;
  /**
   * Time for all handlers of one delivery, in milliseconds; default 8,000, so that a sender that
   * waits 10 seconds receives the response.
   */
  readonly handlerTimeoutMs?: number;
  /** Member with the type of a payload that has no envelope; default `service_payload_type`. */
  readonly payloadTypeField?: string;
  /**
   * Receives the result of each delivery whose body was read, including refused ones; with an inbox
   * once when it is stored, and again each time it is handled.
   */
  readonly onReceipt?: (receipt: Receipt) => void;
  /** Receives errors of handlers, inbox and store; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

export interface ReceivedDelivery extends DeliveryHeaders {
  readonly body: RawBody;
  /** Value of the Content-Type header; omit it if the body did not come over HTTP. */
  readonly contentType?: string | undefined;
}

/** Verifies deliveries and passes their payloads to handlers. */
export interface Receiver {
  /**
   * Verifies, parses and handles one delivery. An invalid delivery is reported as the receipt's
   * status.
   * @throws {RiskGateError} CONFIG_INVALID if the body is not raw; nothing else.
   */
  receive(delivery: ReceivedDelivery): Promise<Receipt>;
  /**
   * Handles a delivery that was verified before it was stored in an inbox.
   * @throws {RiskGateError} CONFIG_INVALID if the body is not raw; nothing else.
   */
  process(delivery: AcceptedDelivery): Promise<Receipt>;
}

/**
 * Creates a receiver for one webhook.
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  return receiverWith(
    readOptions("createReceiver", options, (given) => readReceiverOptions(given, true)),
  );
}

export interface ReceiverSettings {
  readonly check: DeliveryCheck;
  /** Undefined if the secrets depend on the request. */
  readonly verify: VerifySender | undefined;
  readonly failureStatus: ReceiverOptions["failureStatus"];
  readonly handlers: Handlers;
  /** Undefined if every redelivery is handled again. */
  readonly seen: SeenStore | undefined;
  readonly inbox: Inbox | undefined;
  readonly inboxTimeoutMs: number;
  readonly handlerTimeoutMs: number;
  readonly typeField: string;
  readonly onReceipt: ((receipt: Receipt) => unknown) | undefined;
  readonly onError: ErrorHook | undefined;
}

/**
 * Reads the options of a receiver, which the options of a webhook endpoint include.
 * @param hasSecrets Whether `secrets` are values; otherwise each delivery brings its verifier.
 */
export function readReceiverOptions(options: OptionReader, hasSecrets: boolean): ReceiverSettings {
  const check = readDeliveryCheck(options);
  return {
    check,
    verify: hasSecrets ? check.verifierOf(readSecrets(options)) : undefined,
    failureStatus: options.function("failureStatus"),
    handlers: readHandlers(options, check.scheme === "standard" ? "message" : "unknown"),
    seen: readSeen(options),
    inbox: options.object("inbox", ["accept", "attach"]),
    inboxTimeoutMs: options.durationMs("inboxTimeoutMs", 2_000),
    handlerTimeoutMs: options.durationMs("handlerTimeoutMs", 8_000),
    typeField: readTypeField(options),
    onReceipt: options.function("onReceipt"),
    onError: options.function("onError"),
  };
}

function readSecrets(options: OptionReader): Secrets {
  const secrets = options.value("secrets") as Secrets | undefined;
  if (secrets !== undefined && typeof secrets !== "function") return secrets;
  return options.refuse("secrets", "one or several signing secrets", secrets);
}

function readSeen(options: OptionReader): SeenStore | undefined {
  if (options.value("seen") === false) return undefined;
  const methods = ["reserve", "commit", "release"] as const;
  return options.object<SeenStore>("seen", methods) ?? createMemorySeenStore();
}

/** A receiver whose deliveries may bring their own verifier. */
export interface EndpointReceiver extends Receiver {
  receive(delivery: ReceivedDelivery, verify?: VerifySender): Promise<Receipt>;
}

export function receiverWith(settings: ReceiverSettings): EndpointReceiver {
  const { check, handlers, seen, inbox, typeField, onReceipt } = settings;
  const report = createErrorReport(settings.onError);
  const hookCall: HookCall<unknown> = { report, otherwise: undefined };
  const share: RunShare = {
    seen,
    running: new RunningKeys(),
    handlerTimeoutMs: settings.handlerTimeoutMs,
    report,
  };

  const receive: EndpointReceiver["receive"] = async (delivery, verify = settings.verify) => {
    requireDelivery("receive", delivery);
    const { body, contentType } = delivery;
    requireRaw(body);
    if (contentType !== undefined && !isJsonInUtf8(contentType)) {
      return publish(makeReceipt("UNSUPPORTED_MEDIA_TYPE"));
    }
    const refusal = check.refusalOf(delivery);
    if (refusal) return publish(makeReceipt(refusal));
    return after(verify?.(body, delivery), (sender) =>
      sender === undefined
        ? publish(makeReceipt("SIGNATURE_INVALID"))
        : handle(body, sender, 0, inbox),
    );
  };

  const process = async (delivery: AcceptedDelivery): Promise<Receipt> => {
    requireDelivery("process", delivery);
    const { body, secretId, firstIndex = 0 } = delivery;
    requireRaw(body);
    return handle(body, { secretId, deliveryId: undefined }, firstIndex, undefined);
  };

  /** Handles a verified body, or stores it first; converts errors to receipts. */
  const handle = async (
    body: RawBody,
    { secretId, deliveryId }: VerifiedSender,
    firstIndex: number,
    storeIn: Inbox | undefined,
  ): Promise<Receipt> => {
    try {
      // Parsed before it is stored, to refuse unusable deliveries while the sender waits.
      const text = check.scheme === "standard" ? arrayText(bodyText(body)) : bodyText(body);
      const delivery = parseText(text, typeField);
      if (delivery.ignored.length > 0 && !handlers.has("unknown")) {
        warnOfUntyped(delivery, typeField);
      }
      if (storeIn) {
        const bytes = typeof body === "string" ? utf8(body) : body;
        await store(storeIn, { body: bytes, secretId }, settings.inboxTimeoutMs);
        return publish(makeReceipt(202, { secretId }));
      }
      const keys = seen && { deliveryId };
      const pairs = payloadCalls(delivery, text, handlers, keys, firstIndex);
      const { calls, ignored } = pairs instanceof Promise ? await pairs : pairs;
      const tally = await runDelivery(calls, secretId, share);
      const { failed } = tally;
      const pending = calls.length - tally.handled - tally.duplicates - failed.length;
      const result = resultOf(tally, pending);
      const status = result === "HANDLER_FAILED" && failureStatusOf(failed, settings, report);
      const { expired: _, ...counts } = tally;
      return publish(makeReceipt(result, { secretId, ...counts, ignored, pending, ...status }));
    } catch (error) {
      if (!isRiskGateError(error) || !isRefusalCode(error.code)) throw error;
      if (statusOf(error.code) >= 500) report(error);
      return publish(makeReceipt(error.code, { secretId }));
    }
  };

  const publish = (receipt: Receipt): Receipt => {
    if (deliveryChannel.hasSubscribers) deliveryChannel.publish(messageOf(receipt));
    if (onReceipt) void callHook("`onReceipt`", () => onReceipt(receipt), hookCall);
    return receipt;
  };

  inbox?.attach(process);
  return { receive, process };
}

/** Warns: a payload without a type gets a 2xx, and must not be lost silently. */
function warnOfUntyped({ ignored }: Delivery, typeField: string): void {
  if (!ignored.some(({ reason }) => reason === "no_type")) return;
  warn(
    "RISKGATE_UNTYPED_PAYLOAD",
    `payloads have no type in \`${typeField}\`: set \`payloadTypeField\`, or a handler \`unknown\``,
    10_000,
  );
}

function failureStatusOf(
  failed: readonly FailedPayload[],
  { failureStatus }: ReceiverSettings,
  report: ErrorHook,
): { readonly status: number } {
  const otherwise = statusOf("HANDLER_FAILED");
  if (!failureStatus) return { status: otherwise };
  const how = { report, expects: expectStatus, otherwise };
  return { status: callSyncHook("`failureStatus`", () => failureStatus(failed), how) };
}

function expectStatus(status: unknown): number {
  if (typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599) {
    return status;
  }
  throw new TypeError(`expected a status from 200 to 599, given ${typeName(status)}`);
}

/** Other senders deliver one object, not an array. */
function arrayText(text: string): string {
  return /^\s*\{/.test(text) ? `[${text}]` : text;
}

function resultOf({ expired, failed }: Tally, pending: number): RefusalCode | 204 {
  if (expired) return "HANDLER_TIMEOUT";
  if (failed.length > 0) return "HANDLER_FAILED";
  return pending > 0 ? "HANDLER_BUSY" : 204;
}

function requireDelivery(method: string, delivery: unknown): void {
  if (typeof delivery === "object" && delivery !== null) return;
  const message = `the delivery of ${method}() must be an object, given ${typeName(delivery)}`;
  throw new RiskGateError("CONFIG_INVALID", message);
}

/** @throws {RiskGateError} INBOX_UNAVAILABLE if the inbox fails, or does not respond in time. */
async function store(inbox: Inbox, delivery: AcceptedDelivery, timeoutMs: number): Promise<void> {
  try {
    await limitTime(Promise.resolve(inbox.accept(delivery)), timeoutMs);
  } catch (cause) {
    const message = "the inbox did not store a delivery";
    throw new RiskGateError("INBOX_UNAVAILABLE", message, { cause });
  }
}

function messageOf({ ignored, failed, ...counts }: Receipt): DeliveryMessage {
  return { ...counts, ignored: ignored.length, failed: failed.length };
}

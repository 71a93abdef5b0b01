import { bodyText } from "./body-text.js";
import { monotonicMs } from "../base/clock.js";
import { createDeadlines } from "../base/deadline.js";
import { planDelivery } from "./delivery-plan.js";
import { runDelivery, type RunShare, type Tally } from "./delivery-run.js";
import { deliveryChannel, type DeliveryMessage } from "./delivery-channel.js";
import { elementKey } from "./element-identity.js";
import { elementTexts } from "./element-texts.js";
import { createErrorReport, type ErrorHook } from "../base/error-report.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { AcceptedDelivery, Inbox } from "./inbox.js";
import type { Job } from "./job.js";
import { isJsonInUtf8 } from "./media-type.js";
import { invalid, optionalFunction, positiveInteger, requireMethods } from "../base/option.js";
import { type Delivery, parseText, TYPE_FIELD } from "./parse-delivery.js";
import { isRefusalCode, statusOf } from "../base/problem.js";
import { makeReceipt, type Receipt } from "./receipt.js";
import { RunningKeys } from "./running-keys.js";
import { createMemorySeenStore, type SeenStore } from "./seen-store.js";
import { createVerifier, type RawBody, type Secrets } from "./signature.js";
import { type Awaitable, isThenable } from "../base/awaitable.js";
import { takeHandlers, type WebhookHandlers } from "./handlers.js";

/** Options of a receiver. */
export interface ReceiverOptions {
  /** One or several signing secrets; any may match, and the context tells which. */
  readonly secrets: Secrets;
  /** Handlers by payload type. */
  readonly on: WebhookHandlers;
  /** What has been handled; in memory by default, false to handle every redelivery again. */
  readonly seen?: SeenStore | false;
  /** Store deliveries durably and handle them after the answer. */
  readonly inbox?: Inbox;
  /** Time for the inbox to store a delivery, in milliseconds; default 2,000. */
  readonly inboxTimeoutMs?: number;
  /** Time for all handlers of one delivery, in milliseconds; default 10,000. */
  readonly handlerTimeoutMs?: number;
  /** Member that tells the type of a payload; default `service_payload_type`. */
  readonly payloadTypeField?: string;
  /**
   * Told what became of each delivery whose body was read, refused ones too; with an inbox once when
   * it is stored and again for each time it is handled.
   */
  readonly onReceipt?: (receipt: Receipt) => void;
  /** Told each error of a handler, the inbox or the store; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/** A delivery as it came in. */
export interface ReceivedDelivery {
  /** The bytes as received. */
  readonly body: RawBody;
  /** Value of the signature header. */
  readonly signature: unknown;
  /** Value of the Content-Type header; leave it out where the body did not come by HTTP. */
  readonly contentType?: string | undefined;
}

/** Verifies deliveries and hands their payloads to handlers. */
export interface Receiver {
  /**
   * Verify, parse and handle one delivery. Whatever is wrong with the delivery is a status of the
   * receipt.
   *
   * @throws {RiskGateError} CONFIG_INVALID when the body is not raw, and nothing else.
   */
  receive(delivery: ReceivedDelivery): Promise<Receipt>;
  /** Handle a delivery that was verified before and has been in an inbox since. */
  process(delivery: AcceptedDelivery): Promise<Receipt>;
}

/**
 * Make a receiver for one webhook.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  const intake = createIntake(options);
  return { ...intake, receive: async (delivery) => intake.receive(delivery) };
}

/** A receiver that makes no promise where nothing has to be waited for: what a route is built on. */
export interface Intake {
  /** As {@link Receiver.receive}, except that it also throws at once. */
  receive(delivery: ReceivedDelivery): Awaitable<Receipt>;
  process(delivery: AcceptedDelivery): Promise<Receipt>;
}

/**
 * Make what a receiver consists of.
 *
 * @throws {RiskGateError} CONFIG_INVALID for any unusable option.
 */
export function createIntake(options: ReceiverOptions): Intake {
  const verifier = createVerifier(options.secrets);
  const { inbox, seen = createMemorySeenStore(), payloadTypeField = TYPE_FIELD } = options;
  if (typeof payloadTypeField !== "string" || payloadTypeField === "") {
    throw invalid("payloadTypeField", "the name of a member", payloadTypeField);
  }
  if (inbox !== undefined) requireMethods("inbox", inbox, ["accept", "attach"]);
  const onReceipt = optionalFunction("onReceipt", options.onReceipt);
  const report = createErrorReport(optionalFunction("onError", options.onError));
  const inboxDeadlines = createDeadlines(
    positiveInteger("inboxTimeoutMs", options.inboxTimeoutMs, 2_000),
    monotonicMs,
  );
  const share: RunShare = {
    handlers: takeHandlers(options.on),
    seen:
      seen === false ? undefined : requireMethods("seen", seen, ["reserve", "commit", "release"]),
    running: new RunningKeys(),
    deadlines: createDeadlines(
      positiveInteger("handlerTimeoutMs", options.handlerTimeoutMs, 10_000),
      monotonicMs,
    ),
    report,
  };

  const keysOf = (
    jobs: readonly Job[],
    text: string,
    { size }: Delivery,
  ): readonly (string | undefined)[] => {
    // Whoever wants every redelivery handled again needs no identities, which cost a digest each.
    if (!share.seen) return [];
    const keys = Array.from<string | undefined>({ length: size });
    const texts = elementTexts(text, size);
    for (const { index, raw } of jobs) keys[index] = elementKey(raw, texts[index]!);
    return keys;
  };

  const handle = (text: string, delivery: Delivery, secretId: string): Awaitable<Receipt> => {
    const { jobs, ignored } = planDelivery(delivery, share.handlers);
    const finish = ({ handled, duplicates, failed, expired }: Tally): Receipt => {
      const pending = jobs.length - handled - duplicates - failed.length;
      const known = { secretId, handled, duplicates, ignored, failed, pending };
      if (expired) return makeReceipt("HANDLER_TIMEOUT", known);
      if (failed.length > 0) return makeReceipt("HANDLER_FAILED", known);
      return pending > 0 ? makeReceipt("HANDLER_BUSY", known) : { status: 204, ...known };
    };
    const tally = runDelivery(jobs, keysOf(jobs, text, delivery), secretId, share);
    return isThenable(tally) ? tally.then(finish) : finish(tally);
  };

  /** Turn the refusals that are thrown on the way into receipts. */
  const settle = (secretId: string, work: () => Awaitable<Receipt>): Awaitable<Receipt> => {
    const refuse = (error: unknown): Receipt => {
      if (!isRiskGateError(error) || !isRefusalCode(error.code)) throw error;
      if (statusOf(error.code) >= 500) report(error);
      return makeReceipt(error.code, { secretId });
    };
    try {
      const receipt = work();
      return isThenable(receipt) ? receipt.catch(refuse) : receipt;
    } catch (error) {
      return refuse(error);
    }
  };

  const store = (inbox: Inbox, delivery: AcceptedDelivery): Promise<Receipt> =>
    new Promise((resolve, reject) => {
      const fail = (cause: unknown): void => {
        stop();
        const message = "the inbox did not store a delivery";
        reject(new RiskGateError("INBOX_UNAVAILABLE", message, { cause }));
      };
      const stop = inboxDeadlines.start(() => fail(undefined));
      const stored = (): void => {
        stop();
        resolve(makeReceipt(202, { secretId: delivery.secretId }));
      };
      // In a step of its own, because an inbox may also throw at once.
      Promise.resolve(delivery)
        .then((given) => inbox.accept(given))
        .then(stored, fail);
    });

  const judge = ({ body, signature, contentType }: ReceivedDelivery): Awaitable<Receipt> => {
    if (contentType !== undefined && !isJsonInUtf8(contentType)) {
      return makeReceipt("UNSUPPORTED_MEDIA_TYPE");
    }
    const secretId = verifier.match(body, signature);
    if (secretId === undefined) return makeReceipt("SIGNATURE_INVALID");
    return settle(secretId, () => {
      // Parsed before it is stored: what can never be handled is refused while the sender listens.
      const text = bodyText(body);
      const delivery = parseText(text, payloadTypeField);
      if (!inbox) return handle(text, delivery, secretId);
      return store(inbox, { body: typeof body === "string" ? Buffer.from(body) : body, secretId });
    });
  };

  /** Publish what became of a delivery, and tell the application. */
  const announce = (receipt: Receipt): Receipt => {
    if (deliveryChannel.hasSubscribers) deliveryChannel.publish(messageOf(receipt));
    const failed = (cause: unknown): void =>
      report(new RiskGateError("HOOK_FAILED", "`onReceipt` failed", { cause }));
    try {
      const result: unknown = onReceipt?.(receipt);
      if (isThenable(result)) result.then(undefined, failed);
    } catch (cause) {
      failed(cause);
    }
    return receipt;
  };

  const process = async ({ body, secretId }: AcceptedDelivery): Promise<Receipt> => {
    const work = (): Awaitable<Receipt> => {
      const text = bodyText(body);
      return handle(text, parseText(text, payloadTypeField), secretId);
    };
    return announce(await settle(secretId, work));
  };

  inbox?.attach(process);
  return {
    receive(delivery) {
      const receipt = judge(delivery);
      return isThenable(receipt) ? receipt.then(announce) : announce(receipt);
    },
    process,
  };
}

function messageOf({ ignored, failed, ...counts }: Receipt): DeliveryMessage {
  return { ...counts, ignored: ignored.length, failed: failed.length };
}

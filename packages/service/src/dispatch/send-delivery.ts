import { isRiskGateError } from "@riskgate/core";
import type { ClaimedDelivery } from "../model/delivery.js";
import { epochMsOf } from "../model/instant.js";
import { attempt, type AttemptOutcome, failure, isDelivered } from "./attempt.js";
import type { SentResult } from "./attempt-recorder.js";
import type { DispatchContext } from "./dispatch-context.js";
import type { Endpoint, EndpointReader } from "./endpoint.js";
import { nextWaitMs } from "./retry-schedule.js";

/**
 * Sends a claimed delivery once, and queues the outcome for recording.
 *
 * @returns Whether it was delivered; undefined if nothing was sent or the signal aborted the attempt.
 */
export async function sendDelivery(
  delivery: ClaimedDelivery,
  reader: EndpointReader,
  context: DispatchContext,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { storage, clock, recorder } = context;
  const { deliveries } = storage;
  const body = await deliveries.bodyToSend(delivery);
  // The application and the delivery may have changed since the claim.
  const endpoint = await reader.read();
  if (!endpoint) {
    await deliveries.cancel(delivery.applicationId);
    deliveries.release([delivery]);
    return undefined;
  }
  if (delivery.revision !== storage.revision()) {
    const now = await deliveries.get(delivery.id);
    if (now?.state !== "pending") {
      deliveries.release([delivery]);
      return undefined;
    }
  }

  const startedAt = clock();
  const startedMs = performance.now();
  const outcome = await post(delivery.id, body, endpoint, context, signal);
  if (outcome.error === "ABORTED") {
    deliveries.release([delivery]);
    return undefined;
  }
  const durationMs = Math.round(performance.now() - startedMs);
  const { status, error, location, excerpt } = outcome;
  const result = resultOf(delivery, outcome, context);
  recorder.record({
    delivery,
    attempt: { startedAt, durationMs, status, error, location, excerpt },
    result,
  });
  return result.state === "delivered";
}

async function post(
  deliveryId: string,
  body: Uint8Array | undefined,
  { url, secrets, isPermitted, agent }: Endpoint,
  { clock, settings: { resolve, timeoutMs, ca } }: DispatchContext,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  if (secrets === undefined) return failure("SECRET_MISSING");
  if (url === undefined) return failure("URL_INVALID");
  if (body === undefined) return failure("BODY_MISSING");
  const epochMs = epochMsOf(clock());
  const signed = { deliveryId, body, secrets, epochMs };
  const order = { ...signed, url, isPermitted, resolve, timeoutMs, ca, signal, agent };
  try {
    return await attempt(order);
  } catch (error) {
    // A secret that cannot sign, or a URL that Node does not accept.
    return failure(isRiskGateError(error) ? error.code : "URL_INVALID");
  }
}

function resultOf(
  { attempts }: ClaimedDelivery,
  outcome: AttemptOutcome,
  { settings, clock, nowMs, random }: DispatchContext,
): SentResult {
  if (isDelivered(outcome)) return { state: "delivered" };
  const { retryAfter } = outcome;
  const epochMs = epochMsOf(clock());
  const failed = { number: attempts + 1, retryAfter, epochMs, random: random() };
  const waitMs = nextWaitMs(failed, settings.retry);
  if (waitMs === undefined) return { state: "dead" };
  return { state: "pending", dueMs: nowMs() + waitMs };
}

import { isRiskGateError } from "@riskgate/core";
import type { AttemptResult, ClaimedDelivery } from "../storage/deliveries.js";
import { epochMsOf, instantOf } from "../storage/instant.js";
import { attempt, type AttemptOutcome, failure, isDelivered } from "./attempt.js";
import type { DispatchContext } from "./dispatch-context.js";
import type { Endpoint, Recipient } from "./recipient.js";
import { nextWaitMs } from "./schedule.js";

/** What a delivery needs from its surroundings. */
type SendContext = Pick<DispatchContext, "storage" | "settings" | "clock" | "recorder">;

/**
 * Send a claimed delivery once, and have it recorded what became of it.
 *
 * @returns Whether it arrived; undefined when nothing was sent, or the signal ended the attempt.
 */
export async function sendDelivery(
  delivery: ClaimedDelivery,
  recipient: Recipient,
  context: SendContext,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { storage, clock, recorder } = context;
  const { deliveries } = storage;
  const body = await deliveries.bodyToSend(delivery);
  // Much can have happened while it waited for its turn.
  const endpoint = await recipient.endpoint();
  if (!endpoint) {
    await deliveries.cancel(delivery.applicationId);
    return giveBack(delivery, context);
  }
  if (delivery.revision !== storage.revision()) {
    const now = await deliveries.get(delivery.id);
    if (now?.state !== "pending") return giveBack(delivery, context);
  }

  const startedAt = clock();
  const startedMs = performance.now();
  const outcome = await post(body, endpoint, context, signal);
  if (outcome.error === "ABORTED") return giveBack(delivery, context);
  const durationMs = Math.round(performance.now() - startedMs);
  const { status, error, location, excerpt } = outcome;
  const result = resultOf(delivery, outcome, context);
  const log = { startedAt, durationMs, status, error, location, excerpt };
  recorder.record({ delivery, attempt: log, result });
  return result.state === "delivered";
}

function giveBack(delivery: ClaimedDelivery, { storage }: SendContext): undefined {
  storage.deliveries.release([delivery]);
}

async function post(
  body: Uint8Array | undefined,
  { target, secret, isPermitted, agent }: Endpoint,
  { settings }: SendContext,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  if (secret === undefined) return failure("SECRET_MISSING");
  if (target === undefined) return failure("URL_INVALID");
  if (body === undefined) return failure("BODY_MISSING");
  const { resolve, timeoutMs, ca } = settings;
  try {
    return await attempt({
      target,
      body,
      secret,
      isPermitted,
      resolve,
      timeoutMs,
      ca,
      signal,
      agent,
    });
  } catch (error) {
    // A secret that cannot sign, or a URL that cannot be asked for.
    return failure(isRiskGateError(error) ? error.code : "URL_INVALID");
  }
}

function resultOf(
  { attempts }: ClaimedDelivery,
  outcome: AttemptOutcome,
  { settings, clock }: SendContext,
): AttemptResult {
  if (isDelivered(outcome)) return { state: "delivered" };
  const now = clock();
  const waitMs = nextWaitMs(
    {
      number: attempts + 1,
      retryAfter: outcome.retryAfter,
      epochMs: epochMsOf(now),
      random: settings.random(),
    },
    settings.retry,
  );
  if (waitMs === undefined) return { state: "dead" };
  return { state: "pending", nextAttemptAt: now + instantOf(waitMs) };
}

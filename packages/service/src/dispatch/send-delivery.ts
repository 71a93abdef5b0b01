import { isRiskGateError } from "@riskgate/core";
import type { AttemptResult, ClaimedDelivery } from "../storage/deliveries.js";
import { epochMsOf, instantOf } from "../storage/instant.js";
import { attempt, type AttemptOutcome, failure, isDelivered } from "./attempt.js";
import { createDestinationRule } from "./destination.js";
import type { DispatchContext } from "./dispatch-context.js";
import { isReceiving, type ReceivingApplication } from "./receiving-application.js";
import { nextWaitMs } from "./schedule.js";

/** What a delivery needs from its surroundings. */
type SendContext = Pick<DispatchContext, "storage" | "settings" | "clock" | "notify">;

/**
 * Send a claimed delivery once, and record what became of it.
 *
 * @returns Whether it arrived; undefined when nothing was sent, or the signal ended the attempt.
 */
export async function sendDelivery(
  delivery: ClaimedDelivery,
  context: SendContext,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { storage, clock, notify } = context;
  const { deliveries, applications } = storage;
  const { id, applicationId } = delivery;
  // Much can have happened while it waited for its turn.
  const application = await applications.get(applicationId);
  if (!isReceiving(application)) {
    await deliveries.cancel(applicationId);
    return undefined;
  }
  if ((await deliveries.get(id))?.state !== "pending") return undefined;

  const startedAt = clock();
  const startedMs = performance.now();
  const outcome = await post(delivery, application, context, signal);
  if (outcome.error === "ABORTED") {
    await deliveries.release(id);
    return undefined;
  }
  const durationMs = Math.round(performance.now() - startedMs);
  const { status, error, location, excerpt } = outcome;
  const result = resultOf(delivery, outcome, context);
  const log = { startedAt, durationMs, status, error, location, excerpt };
  await deliveries.recordAttempt(id, log, result);
  const state = (await deliveries.get(id))?.state ?? result.state;
  notify({ type: "attempt", applicationId, deliveryId: id, state, status, error, durationMs });
  if (result.state === "dead") await disableIfLasting(applicationId, context);
  return result.state === "delivered";
}

async function post(
  { body, applicationId }: ClaimedDelivery,
  { webhookUrl, allowedDestinations }: ReceivingApplication,
  { storage, settings }: SendContext,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  // Read at each attempt: the newest secret signs, also what was made before it.
  const [secret] = await storage.applications.secretsOf(applicationId);
  if (!secret) return failure("SECRET_MISSING");
  const { resolve, timeoutMs, ca, listeners } = settings;
  const isPermitted = createDestinationRule(allowedDestinations, listeners());
  try {
    return await attempt({
      url: webhookUrl,
      body,
      secret: secret.value,
      isPermitted,
      resolve,
      timeoutMs,
      ca,
      signal,
    });
  } catch (error) {
    // A secret that cannot sign, or a URL stored by other means than the checked ones.
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

/**
 * Disable an endpoint that has failed for too long. Judged when a delivery is given up, so that one
 * failure long ago and one today, with nothing between, do not count as failing all the time.
 */
async function disableIfLasting(
  applicationId: string,
  { storage, settings, clock, notify }: SendContext,
): Promise<void> {
  const application = await storage.applications.get(applicationId);
  if (!application || application.failingSince === null || application.disabledAt !== null) return;
  const failingMs = epochMsOf(clock() - application.failingSince);
  if (failingMs < settings.disableAfterMs) return;
  const reason = `no delivery arrived for ${Math.floor(failingMs / 3_600_000)} hours`;
  await storage.applications.disable(applicationId, reason);
  notify({ type: "disabled", applicationId, reason });
}

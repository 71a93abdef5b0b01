import { setMaxListeners } from "node:events";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { ClaimedDelivery } from "../model/delivery.js";
import { epochMsOf, type Instant } from "../model/instant.js";
import type { OutboxBacklog } from "../model/delivery.js";
import { MAX_PAYLOADS_PER_DELIVERY } from "./batch.js";
import type { DispatchContext } from "./dispatch-context.js";
import { EndpointReader } from "./endpoint.js";
import { packOutbox } from "./pack-outbox.js";
import { nextWaitMs } from "./retry-schedule.js";
import { sendDelivery } from "./send-delivery.js";

const CLAIM_LIMIT = 250;

/** How long an attempt and its recording may exceed the timeout before the lease expires. */
const LEASE_SLACK_MS = 5_000;

/** Consecutive failures that are tolerated before new deliveries are held back. */
const MAX_FAILURES = 2;

/** Maximum time for which new deliveries are held back from a failing endpoint. */
const MAX_HOLD_MS = 60_000;

/** Sends the deliveries of one application, independently of all others. */
export class ApplicationQueue {
  readonly #applicationId: string;
  readonly #context: DispatchContext;
  readonly #endpoint: EndpointReader;
  readonly #abort = new AbortController();
  /** Claimed deliveries whose attempts have not started. */
  readonly #claimed: ClaimedDelivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #isFirstUnderWay = false;
  #running: Promise<void> | undefined;
  #isPackDue = false;
  #isRunDue = false;
  #isClosed = false;
  /** Consecutive failed attempts, of any delivery. */
  #failures = 0;
  /** Time by the monotonic clock. */
  #holdUntilMs = 0;
  /** End of the window in which the endpoint received all requests that its limit allows. */
  #limitedUntilMs = 0;

  constructor(applicationId: string, context: DispatchContext) {
    this.#applicationId = applicationId;
    this.#context = context;
    const { storage, listeners, clock } = context;
    this.#endpoint = new EndpointReader(applicationId, storage, listeners, clock);
    // Each attempt adds a listener, and there can be many.
    setMaxListeners(0, this.#abort.signal);
  }

  /** True if a delivery that is claimed now can be sent now or next. */
  get hasRoom(): boolean {
    return (
      !this.#isClosed &&
      this.#context.holds(this.#applicationId) &&
      this.#claimed.length === 0 &&
      this.#underWay.size < this.#context.settings.concurrency
    );
  }

  get isBusy(): boolean {
    return this.#running !== undefined || this.#claimed.length > 0 || this.#underWay.size > 0;
  }

  /** Milliseconds until the limit of the endpoint allows the next request; 0 or less if it does. */
  get limitedMs(): number {
    return this.#limitedUntilMs - this.#context.nowMs();
  }

  /**
   * Returns the milliseconds until the waiting payloads should be packed into deliveries; `Infinity`
   * while a previous delivery is waiting, since payloads queued until then can join the next one.
   */
  packInMs({ count, oldestQueuedAt }: OutboxBacklog, now: Instant): number {
    if (!this.hasRoom) return Infinity;
    const { settings, nowMs } = this.#context;
    const isFull = count >= MAX_PAYLOADS_PER_DELIVERY;
    const waitMs = isFull ? 0 : settings.maxWaitMs - distanceMs(now, oldestQueuedAt);
    return Math.max(waitMs, this.#holdUntilMs - nowMs(), this.limitedMs);
  }

  /** Packs the waiting payloads into deliveries if due, and starts attempts up to the concurrency. */
  run(isPackDue: boolean): void {
    this.#isPackDue ||= isPackDue;
    this.#isRunDue = true;
    this.#running ??= this.#runWhileDue().finally(() => {
      this.#running = undefined;
    });
  }

  /** Resolves once the attempts under way have ended. */
  async settle(): Promise<void> {
    await this.#running;
    await Promise.all(this.#underWay);
  }

  /** Starts nothing more, releases unstarted deliveries, and gives running attempts time to finish. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    this.#context.storage.deliveries.release(this.#claimed);
    const grace = setTimeout(() => this.#abort.abort(), this.#context.settings.closeGraceMs);
    await Promise.all(this.#underWay);
    clearTimeout(grace);
    this.#endpoint.close();
  }

  async #runWhileDue(): Promise<void> {
    try {
      while (this.#isRunDue && !this.#isClosed) {
        this.#isRunDue = false;
        await this.#pack();
        await this.#claim();
        this.#begin();
      }
    } catch (error) {
      this.#context.stall(asStoreError(error));
    }
  }

  async #pack(): Promise<void> {
    const { storage, settings, clock, nowMs, notify } = this.#context;
    if (!this.#isPackDue || !this.hasRoom || this.limitedMs > 0) return;
    if (nowMs() < this.#holdUntilMs) return;
    const now = clock();
    const hasWaited = (queuedAt: Instant): boolean =>
      distanceMs(now, queuedAt) >= settings.maxWaitMs;
    const { hasMore, notices } = await packOutbox(storage, this.#applicationId, hasWaited);
    this.#isPackDue = hasMore;
    for (const notice of notices) notify(notice);
  }

  async #claim(): Promise<void> {
    const { storage, settings, clock, nowMs, sweep } = this.#context;
    if (!this.hasRoom) return;
    if (this.limitedMs > 0) return sweep();
    const allowance = (await this.#endpoint.read())?.allowance;
    const claimed = await storage.deliveries.claim(this.#applicationId, {
      limit: allowance ? 1 : CLAIM_LIMIT,
      now: clock(),
      // Long enough for the last of many consecutive first attempts that all time out.
      leaseMs: (CLAIM_LIMIT + 1) * (settings.timeoutMs + LEASE_SLACK_MS),
    });
    if (claimed.length === 0) return sweep();
    if (allowance) {
      const count = storage.countRequest(`endpoint:${this.#applicationId}`, allowance);
      const { isRefused, resetMs } = await count.catch((error: unknown) => {
        // Otherwise nobody could send it until the lease ends, an hour later by default.
        storage.deliveries.release(claimed);
        throw error;
      });
      if (isRefused) {
        storage.deliveries.release(claimed);
        this.#limitedUntilMs = nowMs() + Math.max(resetMs, 1);
        return sweep();
      }
      this.#isRunDue = true;
    }
    this.#claimed.push(...claimed);
  }

  /** Starts attempts: first ones one at a time and in order, retries up to the concurrency. */
  #begin(): void {
    const { settings, recorder, storage, sweep, holds } = this.#context;
    // If the lease has ended, another process may now be sending.
    if (this.#claimed.length > 0 && !holds(this.#applicationId)) {
      storage.deliveries.release(this.#claimed.splice(0));
      sweep();
    }
    while (!this.#isClosed && !recorder.isStuck && this.#underWay.size < settings.concurrency) {
      const next = this.#claimed.findIndex(
        ({ attempts }) => attempts > 0 || !this.#isFirstUnderWay,
      );
      if (next < 0) return;
      this.#start(this.#claimed.splice(next, 1)[0]!);
    }
  }

  #start(delivery: ClaimedDelivery): void {
    const isFirst = delivery.attempts === 0;
    if (isFirst) this.#isFirstUnderWay = true;
    this.#context.recorder.begin();
    // `#send` never rejects.
    const sending = this.#send(delivery).then(() => {
      this.#underWay.delete(sending);
      if (isFirst) this.#isFirstUnderWay = false;
      // Runs after all attempts that end in this event loop iteration: requests sent together wake the
      // receiver only once, and waking it takes as long as sending.
      setImmediate(this.#continue);
    });
    this.#underWay.add(sending);
  }

  readonly #continue = (): void => {
    this.#begin();
    if (this.hasRoom) this.run(false);
    this.#context.recorder.end();
  };

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { storage, stall } = this.#context;
    try {
      const { signal } = this.#abort;
      const isDelivered = await sendDelivery(delivery, this.#endpoint, this.#context, signal);
      if (isDelivered !== undefined) this.#holdAfter(isDelivered);
    } catch (error) {
      // Only the steps before the attempt can throw, so nothing was sent.
      storage.deliveries.release([delivery]);
      stall(asStoreError(error));
    }
  }

  /** Holds new deliveries back from a failing endpoint, which makes the next deliveries fuller. */
  #holdAfter(isDelivered: boolean): void {
    this.#failures = isDelivered ? 0 : this.#failures + 1;
    const { settings, nowMs, random } = this.#context;
    const number = Math.min(this.#failures - MAX_FAILURES, settings.retry.maxAttempts - 1);
    const failed = { number, epochMs: 0, random: random() };
    const holdMs = number > 0 ? (nextWaitMs(failed, settings.retry) ?? 0) : 0;
    this.#holdUntilMs = nowMs() + Math.min(holdMs, MAX_HOLD_MS);
  }
}

/** A time in the future is by another clock, or from before this one was set back. */
function distanceMs(now: Instant, queuedAt: Instant): number {
  return epochMsOf(Math.abs(now - queuedAt));
}

function asStoreError(error: unknown): RiskGateError {
  if (isRiskGateError(error)) return error;
  return new RiskGateError("STORE_FAILED", "the deliveries could not be read or written", {
    cause: error,
  });
}

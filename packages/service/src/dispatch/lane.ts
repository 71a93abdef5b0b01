import { setMaxListeners } from "node:events";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { ClaimedDelivery } from "../storage/deliveries.js";
import { instantOf } from "../storage/instant.js";
import type { OutboxBacklog } from "../storage/outbox.js";
import { MAX_PAYLOADS_PER_DELIVERY } from "./batch.js";
import type { DispatchContext } from "./dispatch-context.js";
import { packOutbox } from "./pack-outbox.js";
import { Recipient } from "./recipient.js";
import { nextWaitMs } from "./schedule.js";
import { sendDelivery } from "./send-delivery.js";

/** Deliveries claimed at a time: one question for many. */
const CLAIM_LIMIT = 250;

/** Time beyond the time-out that an attempt and its record may take before somebody else may try. */
const LEASE_SLACK_MS = 5_000;

/** Failures in a row after which new deliveries are held back. */
const MAX_STREAK = 2;

/** Longest time that new deliveries are held back from an endpoint that fails. */
const MAX_HOLD_MS = 60_000;

/** Sends the deliveries of one application, apart from those of all others. */
export class Lane {
  readonly #applicationId: string;
  readonly #context: DispatchContext;
  readonly #recipient: Recipient;
  readonly #abort = new AbortController();
  /** Deliveries claimed whose attempts have not begun. */
  readonly #claimed: ClaimedDelivery[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #isFirstUnderWay = false;
  #turning: Promise<void> | undefined;
  #isPackDue = false;
  #isTurnDue = false;
  #isClosed = false;
  /** Attempts failed in a row, whatever their deliveries. */
  #streak = 0;
  #holdUntil = 0;

  constructor(applicationId: string, context: DispatchContext) {
    this.#applicationId = applicationId;
    this.#context = context;
    this.#recipient = new Recipient(applicationId, context);
    // Each attempt listens, and there can be many.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Whether a delivery that is claimed now could be sent now, or next. */
  get hasRoom(): boolean {
    return (
      !this.#isClosed &&
      this.#claimed.length === 0 &&
      this.#underWay.size < this.#context.settings.concurrency
    );
  }

  /**
   * When deliveries should be made of what waits. While an earlier one waits for its turn, never:
   * what comes in meanwhile can still join the next one.
   */
  packAt({ count, oldestQueuedAt }: OutboxBacklog): number {
    if (!this.hasRoom) return Infinity;
    const isFull = count >= MAX_PAYLOADS_PER_DELIVERY;
    const dueAt = isFull ? 0 : oldestQueuedAt + instantOf(this.#context.settings.maxWaitMs);
    return Math.max(dueAt, this.#holdUntil);
  }

  /** Make deliveries of what waits, if that is due, and begin as many attempts as there is room for. */
  turn(isPackDue: boolean): void {
    this.#isPackDue ||= isPackDue;
    this.#isTurnDue = true;
    this.#turning ??= this.#work().finally(() => {
      this.#turning = undefined;
    });
  }

  /** Begin nothing more, give back what has not begun, and give what has begun some time to end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turning;
    this.#context.storage.deliveries.release(this.#claimed);
    const grace = setTimeout(() => this.#abort.abort(), this.#context.settings.closeGraceMs);
    await Promise.all(this.#underWay);
    clearTimeout(grace);
    this.#recipient.close();
  }

  async #work(): Promise<void> {
    try {
      while (this.#isTurnDue && !this.#isClosed) {
        this.#isTurnDue = false;
        await this.#pack();
        await this.#claim();
        this.#begin();
      }
    } catch (error) {
      this.#context.stall(asStoreError(error));
    }
  }

  async #pack(): Promise<void> {
    const { storage, settings, clock, notify } = this.#context;
    if (!this.#isPackDue || !this.hasRoom || clock() < this.#holdUntil) return;
    const until = clock() - instantOf(settings.maxWaitMs);
    const { isCrowded, notices } = await packOutbox(storage, this.#applicationId, until);
    this.#isPackDue = isCrowded;
    for (const notice of notices) notify(notice);
  }

  async #claim(): Promise<void> {
    const { storage, settings, clock, sweep } = this.#context;
    if (!this.hasRoom) return;
    const now = clock();
    const claimed = await storage.deliveries.claim(this.#applicationId, {
      limit: CLAIM_LIMIT,
      now,
      // Long enough for the last one of a row of first attempts, each of which times out.
      leasedUntil: now + instantOf((CLAIM_LIMIT + 1) * (settings.timeoutMs + LEASE_SLACK_MS)),
    });
    this.#claimed.push(...claimed);
    if (claimed.length === 0) sweep();
  }

  /** Begin attempts: of first ones one at a time and in order, of repeated ones all that have room. */
  #begin(): void {
    const { settings, recorder } = this.#context;
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
      setImmediate(this.#goOn);
    });
    this.#underWay.add(sending);
  }

  /**
   * What follows an attempt begins when all have ended that end in this turn of the event loop: what
   * is sent at once wakes a receiver once, and to wake one takes as long as to send.
   */
  readonly #goOn = (): void => {
    this.#begin();
    if (this.hasRoom) this.turn(false);
    this.#context.recorder.end();
  };

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { storage, stall } = this.#context;
    try {
      const { signal } = this.#abort;
      const isSuccess = await sendDelivery(delivery, this.#recipient, this.#context, signal);
      if (isSuccess !== undefined) this.#count(isSuccess);
    } catch (error) {
      // Only what comes before the attempt can fail: nothing was sent.
      storage.deliveries.release([delivery]);
      stall(asStoreError(error));
    }
  }

  /** An endpoint that fails is spared new deliveries; what waits joins fewer and fuller ones. */
  #count(isSuccess: boolean): void {
    this.#streak = isSuccess ? 0 : this.#streak + 1;
    const { settings, clock } = this.#context;
    const number = Math.min(this.#streak - MAX_STREAK, settings.retry.maxAttempts - 1);
    const failed = { number, epochMs: 0, random: settings.random() };
    const holdMs = number > 0 ? (nextWaitMs(failed, settings.retry) ?? 0) : 0;
    this.#holdUntil = clock() + instantOf(Math.min(holdMs, MAX_HOLD_MS));
  }
}

function asStoreError(error: unknown): RiskGateError {
  if (isRiskGateError(error)) return error;
  return new RiskGateError("STORE_FAILED", "the deliveries could not be read or written", {
    cause: error,
  });
}

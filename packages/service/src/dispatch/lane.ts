import { setMaxListeners } from "node:events";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { ClaimedDelivery } from "../storage/deliveries.js";
import { instantOf } from "../storage/instant.js";
import type { OutboxBacklog } from "../storage/outbox.js";
import { MAX_PAYLOADS_PER_DELIVERY } from "./batch.js";
import type { DispatchContext } from "./dispatch-context.js";
import { packOutbox } from "./pack-outbox.js";
import { nextWaitMs } from "./schedule.js";
import { sendDelivery } from "./send-delivery.js";

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
  readonly #abort = new AbortController();
  /** Deliveries claimed and not finished. */
  readonly #inHand = new Set<Promise<void>>();
  /** End of the row of first attempts. */
  #row: Promise<void> = Promise.resolve();
  /** First attempts in the row that have not begun. */
  #waiting = 0;
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
    // Each attempt listens, and there can be many.
    setMaxListeners(0, this.#abort.signal);
  }

  get hasRoom(): boolean {
    return !this.#isClosed && this.#inHand.size < this.#context.settings.concurrency;
  }

  /**
   * When deliveries should be made of what waits. While an earlier one waits for its turn, never:
   * what comes in meanwhile can still join the next one.
   */
  packAt({ count, oldestQueuedAt }: OutboxBacklog): number {
    if (this.#isClosed || this.#waiting > 0 || !this.hasRoom) return Infinity;
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
    const grace = setTimeout(() => this.#abort.abort(), this.#context.settings.closeGraceMs);
    await Promise.all(this.#inHand);
    clearTimeout(grace);
  }

  async #work(): Promise<void> {
    try {
      while (this.#isTurnDue && !this.#isClosed) {
        this.#isTurnDue = false;
        await this.#pack();
        await this.#claim();
      }
    } catch (error) {
      this.#context.stall(asStoreError(error));
    }
  }

  async #pack(): Promise<void> {
    if (!this.#isPackDue) return;
    this.#isPackDue = false;
    const { storage, settings, clock, notify } = this.#context;
    const until = clock() - instantOf(settings.maxWaitMs);
    for (const notice of await packOutbox(storage, this.#applicationId, until)) notify(notice);
  }

  async #claim(): Promise<void> {
    if (!this.hasRoom) return;
    const { storage, settings, clock } = this.#context;
    const { concurrency, timeoutMs } = settings;
    const now = clock();
    const claimed = await storage.deliveries.claim(this.#applicationId, {
      limit: concurrency - this.#inHand.size,
      now,
      // Long enough for the last one of a row of first attempts, each of which times out.
      leasedUntil: now + instantOf((concurrency + 1) * (timeoutMs + LEASE_SLACK_MS)),
    });
    for (const delivery of claimed) this.#begin(delivery);
  }

  #begin(delivery: ClaimedDelivery): void {
    let sending: Promise<void>;
    if (delivery.attempts > 0) sending = this.#send(delivery);
    else {
      this.#waiting++;
      sending = this.#row.then(() => {
        this.#waiting--;
        return this.#send(delivery);
      });
      this.#row = sending;
    }
    this.#inHand.add(sending);
    // `#send` never rejects.
    void sending.then(() => {
      this.#inHand.delete(sending);
      if (this.#isClosed) return;
      this.turn(false);
      this.#context.sweep();
    });
  }

  async #send(delivery: ClaimedDelivery): Promise<void> {
    const { storage, stall } = this.#context;
    try {
      if (this.#isClosed) return await storage.deliveries.release(delivery.id);
      const isSuccess = await sendDelivery(delivery, this.#context, this.#abort.signal);
      if (isSuccess !== undefined) this.#count(isSuccess);
    } catch (error) {
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

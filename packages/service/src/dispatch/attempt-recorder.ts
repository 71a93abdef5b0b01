import type { RiskGateError } from "@riskgate/core";
import type { AttemptRecord, AttemptResult, DeliveryState } from "../model/delivery.js";
import { type Clock, epochMsOf, instantOf } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import { storeError } from "../storage/store-error.js";
import type { DispatchNotice } from "./dispatch-notice.js";
import { createWakeTimer, type WakeTimer } from "./wake-timer.js";

/** Pause after the storage failed. */
const STALL_MS = 1_000;

/** Time between two records; the attempts that end within it are recorded together. */
const GATHER_MS = 50;

/** What follows from an attempt, until it is recorded. */
export type SentResult =
  | Exclude<AttemptResult, { readonly state: "pending" }>
  /** When it is due by the monotonic clock: the other one may be set before it is recorded. */
  | { readonly state: "pending"; readonly dueMs: number };

/** An attempt to be recorded. */
type SentRecord = Omit<AttemptRecord, "result"> & { readonly result: SentResult };

export interface RecorderContext {
  readonly storage: Storage;
  readonly clock: Clock;
  /** Monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  /** How long an endpoint may fail, without one success, before it is disabled. */
  readonly disableAfterMs: number;
  readonly notify: (notice: DispatchNotice) => void;
  /** Called when attempts may begin again after a failure of the storage. */
  readonly onRecovered: () => void;
  /** Called when deliveries have got a time for their next attempt. */
  readonly onScheduled: () => void;
}

/**
 * Records the results of attempts. Those that end at about the same time are written together, of
 * all applications: a write of many takes as long as a write of one. Deliveries whose record was
 * lost with the process are sent again.
 */
export class AttemptRecorder {
  readonly #context: RecorderContext;
  readonly #timer: WakeTimer;
  #waiting: SentRecord[] = [];
  /** Deliveries that are being sent. */
  #underWay = 0;
  #isStuck = false;

  constructor(context: RecorderContext) {
    this.#context = context;
    this.#timer = createWakeTimer(
      async () => {
        await this.#write();
        return Infinity;
      },
      (error) => this.#stall(error),
      GATHER_MS,
    );
  }

  /** The storage cannot be written: what is sent now could not be recorded and would be sent again. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** Counts a delivery that is about to be sent. */
  begin(): void {
    this.#underWay++;
  }

  /** Records the result of an attempt soon. */
  record(record: SentRecord): void {
    this.#waiting.push(record);
    this.#timer.wake();
  }

  /** Counts a delivery as sent; the attempts that follow it at once have begun. */
  end(): void {
    this.#underWay--;
    // Deliveries that have to be claimed first begin within this turn of the event loop.
    if (this.#underWay === 0) setImmediate(this.#hurry);
  }

  /** Records what is left, and stops. */
  async close(): Promise<void> {
    await this.#timer.close();
    await this.#write().catch((error: unknown) => this.#stall(storeError(error)));
  }

  /** While nothing is being sent, no further results can come. */
  readonly #hurry = (): void => {
    if (this.#underWay === 0 && this.#waiting.length > 0) this.#timer.hurry();
  };

  async #write(): Promise<void> {
    const records = this.#waiting;
    if (records.length === 0) return;
    const { storage, onRecovered, onScheduled } = this.#context;
    this.#waiting = [];
    try {
      const states = await storage.deliveries.recordAttempts(
        records.map((record) => ({ ...record, result: this.#resultOf(record) })),
      );
      for (const [index, record] of records.entries()) this.#report(record, states[index]);
    } catch (error) {
      this.#waiting.unshift(...records);
      throw storeError(error);
    }
    if (this.#isStuck) {
      this.#isStuck = false;
      onRecovered();
    }
    if (records.some(({ result }) => result.state === "pending")) onScheduled();
    for (const { delivery, result } of records) {
      if (result.state === "dead") await this.#disableIfLasting(delivery.applicationId);
    }
  }

  #stall(error: RiskGateError): void {
    this.#isStuck = this.#waiting.length > 0;
    this.#context.notify({ type: "stalled", error });
    if (this.#isStuck) this.#timer.hold(STALL_MS);
  }

  #resultOf({ result }: SentRecord): AttemptResult {
    if (result.state !== "pending") return result;
    const { clock, nowMs } = this.#context;
    return { state: "pending", nextAttemptAt: clock() + instantOf(result.dueMs - nowMs()) };
  }

  #report({ delivery, attempt, result }: SentRecord, state?: DeliveryState): void {
    this.#context.notify({
      type: "attempt",
      applicationId: delivery.applicationId,
      deliveryId: delivery.id,
      state: state ?? result.state,
      status: attempt.status,
      error: attempt.error,
      durationMs: attempt.durationMs,
    });
  }

  /**
   * Disables an endpoint that has failed for too long. Checked only when a delivery is given up:
   * one failure long ago and one today, with nothing between, are not a lasting failure.
   */
  async #disableIfLasting(applicationId: string): Promise<void> {
    const { storage, clock, disableAfterMs, notify } = this.#context;
    const application = await storage.applications.get(applicationId);
    if (!application || application.failingSince === null || application.disabledAt !== null)
      return;
    const failingMs = epochMsOf(clock() - application.failingSince);
    if (failingMs < disableAfterMs) return;
    const reason = `no delivery succeeded for ${Math.floor(failingMs / 3_600_000)} hours`;
    await storage.applications.disable(applicationId, reason);
    notify({ type: "disabled", applicationId, reason });
  }
}

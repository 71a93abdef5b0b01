import type { RiskGateError } from "@riskgate/core";
import type { AttemptRecord, AttemptResult, DeliveryState } from "../model/delivery.js";
import { type Clock, epochMsOf, instantOf } from "../model/instant.js";
import type { Storage } from "../storage/storage.js";
import { storeError } from "../storage/store-error.js";
import type { DispatchNotice } from "./dispatch-notice.js";
import { createWakeTimer, type WakeTimer } from "./wake-timer.js";

const STALL_MS = 1_000;

/** Status by which an endpoint ends its deliveries. Source: Standard Webhooks, Deliverability. */
const GONE = 410;
const GONE_REASON = "the endpoint answered 410: it wants no more deliveries";

/** Time between two writes; attempts that end within it are recorded together. */
const GATHER_MS = 50;

export type SentResult =
  | Exclude<AttemptResult, { readonly state: "pending" }>
  /** Due time by the monotonic clock: the system clock may be set before the attempt is recorded. */
  | { readonly state: "pending"; readonly dueMs: number };

type SentRecord = Omit<AttemptRecord, "result"> & { readonly result: SentResult };

export interface RecorderContext {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly nowMs: () => number;
  /** How long an endpoint may fail, without one success, before it is disabled. */
  readonly disableAfterMs: number;
  readonly notify: (notice: DispatchNotice) => void;
  readonly onRecovered: () => void;
  readonly onScheduled: () => void;
}

/**
 * Records the results of attempts. Attempts of all applications that end at about the same time are
 * written together, because writing many takes as long as writing one. If the process crashes before
 * a write, the deliveries concerned are sent again.
 */
export class AttemptRecorder {
  readonly #context: RecorderContext;
  readonly #timer: WakeTimer;
  #waiting: SentRecord[] = [];
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

  /** True if the storage cannot be written: attempts could not be recorded and would be repeated. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  begin(): void {
    this.#underWay++;
  }

  record(record: SentRecord): void {
    this.#waiting.push(record);
    this.#timer.wake();
  }

  /** Counts a delivery as sent; attempts that immediately follow it have already started. */
  end(): void {
    this.#underWay--;
    // Deliveries that must be claimed first start within this event loop iteration.
    if (this.#underWay === 0) setImmediate(this.#hurry);
  }

  /** Records everything now. @throws {RiskGateError} STORE_FAILED */
  async flush(): Promise<void> {
    await this.#write();
  }

  async close(): Promise<void> {
    await this.#timer.close();
    await this.#write().catch((error: unknown) => this.#stall(storeError(error)));
  }

  /** Records without waiting for more results: while nothing is being sent, there are none. */
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
    for (const { delivery, attempt, result } of records) {
      const { applicationId } = delivery;
      if (attempt.status === GONE) await this.#disable(applicationId, GONE_REASON);
      else if (result.state === "dead") await this.#disableIfLasting(applicationId);
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
   * Disables an endpoint that has failed for too long. Called only when a delivery is dead: one
   * failure long ago and one today, with nothing in between, do not make an endpoint unusable.
   */
  async #disableIfLasting(applicationId: string): Promise<void> {
    const { storage, clock, disableAfterMs } = this.#context;
    const application = await storage.applications.get(applicationId);
    if (!application || application.failingSince === null) return;
    const failingMs = epochMsOf(clock() - application.failingSince);
    if (failingMs < disableAfterMs) return;
    const reason = `no delivery succeeded for ${Math.floor(failingMs / 3_600_000)} hours`;
    await this.#disable(applicationId, reason);
  }

  async #disable(applicationId: string, reason: string): Promise<void> {
    const { storage, notify } = this.#context;
    const { disabledAt } = (await storage.applications.get(applicationId)) ?? { disabledAt: 0 };
    if (disabledAt !== null) return;
    await storage.applications.disable(applicationId, reason);
    notify({ type: "disabled", applicationId, reason });
  }
}

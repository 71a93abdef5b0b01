import { isRiskGateError, type Receipt } from "@riskgate/core";
import type { AcceptedDelivery } from "@riskgate/core/payloads";
import { nextStep, splitDelivery } from "@riskgate/core/payloads";
import type { Retry, StoredDeliveries, StoredItem } from "./stored-deliveries.js";

export interface InboxWorkSettings {
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly process: (delivery: AcceptedDelivery) => Promise<Receipt>;
  /** Receives store errors. */
  readonly onError: (cause: unknown) => void;
  /** Receives the reason when an element is parked. */
  readonly onPark: (reason: string) => void;
}

/** Longest wait before a postponed item is checked again. */
export const MAX_POSTPONE_MS = 15_000;

/** After this many checks, hours later, an item still handled elsewhere counts as failed. */
const MAX_POSTPONED = 1_000;

/** Wait after a store error, in milliseconds. */
const STORE_RETRY_MS = 1_000;

/** Longest timer delay; items due later are checked in between. */
const MAX_SLEEP_MS = 3_600_000;

/** Result of one element: done, not started, or failed with a reason. */
type Outcome = "done" | "postpone" | { readonly reason: string };

/** Returns when to retry an element after `starts` failed attempts, or that it is parked. */
export function retryAfter(
  starts: number,
  settings: Pick<InboxWorkSettings, "maxAttempts" | "backoffMs">,
  reason: string,
): Retry {
  const nowMs = Date.now();
  if (starts >= settings.maxAttempts) return { starts, parkedMs: nowMs, reason };
  const waitMs = settings.backoffMs * 2 ** (starts - 1);
  // Jitter, so that elements that failed together are not retried together.
  return { starts, dueMs: nowMs + Math.round(waitMs * (1 - Math.random() / 4)) };
}

export class InboxWork {
  readonly #store: StoredDeliveries;
  readonly #settings: InboxWorkSettings;
  readonly #running = new Set<Promise<void>>();
  #fresh = 0;
  #suspects = 0;
  #timer: NodeJS.Timeout | undefined;
  #wakeMs = Infinity;
  #state: "works" | "stops" | "stopped" = "works";

  constructor(store: StoredDeliveries, settings: InboxWorkSettings) {
    this.#store = store;
    this.#settings = settings;
  }

  wake(): void {
    if (this.#state !== "works") return;
    clearTimeout(this.#timer);
    this.#wakeMs = Infinity;
    try {
      // One at a time, which shows which one crashes the process and costs the others one attempt.
      this.#fill(true, 1);
      this.#fill(false, this.#settings.concurrency);
    } catch (cause) {
      this.#settings.onError(cause);
      this.#sleepUntil(Date.now() + STORE_RETRY_MS);
    }
  }

  /** Starts nothing more, and waits for elements being handled. */
  async stop(): Promise<void> {
    this.#state = this.#state === "works" ? "stops" : this.#state;
    clearTimeout(this.#timer);
    await Promise.all(this.#running);
  }

  /** The store is about to close: later results are not recorded. */
  abandon(): void {
    this.#state = "stopped";
  }

  #fill(isSuspect: boolean, places: number): void {
    const running = isSuspect ? this.#suspects : this.#fresh;
    for (let free = places - running; free > 0; free--) {
      if (this.#begin(isSuspect)) continue;
      // Without a free slot, the next item to finish looks for more.
      const dueMs = this.#store.nextDueMs(isSuspect);
      if (dueMs !== undefined) this.#sleepUntil(dueMs);
      return;
    }
  }

  #sleepUntil(wakeMs: number): void {
    if (wakeMs >= this.#wakeMs) return;
    clearTimeout(this.#timer);
    this.#wakeMs = wakeMs;
    const waitMs = Math.min(Math.max(wakeMs - Date.now(), 1), MAX_SLEEP_MS);
    this.#timer = setTimeout(() => this.wake(), waitMs).unref();
  }

  #begin(isSuspect: boolean): boolean {
    const item = this.#store.take(isSuspect, Date.now());
    if (!item) return false;
    const count = (by: number): void => {
      if (isSuspect) this.#suspects += by;
      else this.#fresh += by;
    };
    count(1);
    const running = this.#handle(item).finally(() => {
      this.#running.delete(running);
      count(-1);
      this.wake();
    });
    this.#running.add(running);
    return true;
  }

  /** Handles an item's elements in order; never rejects. */
  async #handle(item: StoredItem): Promise<void> {
    const elements = splitDelivery(item.delivery);
    let { starts, postponed } = item;
    for (let at = item.at; at < elements.length; at++) {
      const element = elements[at]!;
      const outcome = await this.#try(element, postponed);
      if (outcome === "postpone") return this.#postpone(item.id, at, postponed + 1);
      const failed = outcome === "done" ? undefined : this.#retryOf(starts + 1, outcome.reason);
      if (failed && elements.length === 1) {
        return this.#record(() => this.#store.retry(item.id, failed));
      }
      if (failed) await this.#record(() => this.#store.splitOff(item.id, at, element, failed));
      if (at + 1 === elements.length) return this.#record(() => this.#store.finish(item.id));
      if (this.#state !== "works") {
        return this.#record(() => this.#store.release(item.id, at + 1));
      }
      if (!failed) await this.#record(() => this.#store.advance(item.id, at + 1));
      [starts, postponed] = [0, 0];
    }
    // The position is after the last element only if the file was edited manually.
    await this.#record(() => this.#store.finish(item.id));
  }

  async #try(element: AcceptedDelivery, postponed: number): Promise<Outcome> {
    try {
      const receipt = await this.#settings.process(element);
      const step = nextStep(receipt);
      if (step === "done" || (step === "postpone" && postponed < MAX_POSTPONED)) return step;
      return { reason: receipt.code ?? "the receiver did not handle it" };
    } catch (cause) {
      return { reason: `the receiver threw ${isRiskGateError(cause) ? cause.code : "an error"}` };
    }
  }

  #retryOf(starts: number, cause: string): Retry {
    const retry = retryAfter(starts, this.#settings, `attempt ${starts} failed: ${cause}`);
    if ("reason" in retry) this.#settings.onPark(retry.reason);
    return retry;
  }

  /** Nothing was started: another delivery has it, or the seen store is down. Not an attempt. */
  async #postpone(id: number, at: number, postponed: number): Promise<void> {
    const waitMs = this.#settings.backoffMs * 2 ** Math.min(postponed - 1, 20);
    const dueMs = Date.now() + Math.min(MAX_POSTPONE_MS, waitMs);
    await this.#record(() => this.#store.postpone(id, at, postponed, dueMs));
  }

  /** Retries: an unrecorded result would be handled again, or never. */
  async #record(change: () => void): Promise<void> {
    while (this.#state !== "stopped") {
      try {
        change();
        return;
      } catch (cause) {
        this.#settings.onError(cause);
        await new Promise((resolve) => setTimeout(resolve, STORE_RETRY_MS).unref());
      }
    }
  }
}

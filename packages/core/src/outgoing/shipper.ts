import { isRiskGateError, type RiskGateError } from "../base/errors.js";
import { limitTime, startDeadline } from "../base/time-limit.js";
import type { Awaitable } from "../model/awaitable.js";
import { type Batch, BatchQueue } from "./batch-queue.js";
import type { ShippingSettings } from "./shipping-options.js";

export interface ShipperSettings<Kind extends string> extends ShippingSettings {
  readonly kinds: readonly Kind[];
  /**
   * Sends or writes a batch. Calls never overlap; after a rejection, the same batch is retried
   * after a pause.
   */
  readonly deliver: (batch: Batch<Kind>) => Awaitable<void>;
  /** Sent before the batches in each run. */
  readonly first?: Sideline;
  /** Receives the number of lost texts and the reason. */
  readonly onDrop: (error: RiskGateError, texts: number) => void;
  readonly fullError: () => RiskGateError;
  readonly closedError: () => RiskGateError;
  /** Aborts the pending delivery once the flush times out. By default it continues. */
  readonly stop?: () => void;
  /** Called last, after the remaining texts are dropped. Must not reject. */
  readonly release: () => Promise<void>;
}

/** Data to send that is not text. */
export interface Sideline {
  /** Above 0 if there is something to send. */
  readonly size: number;
  send(isFlushing: boolean): Promise<void>;
  drop(error: RiskGateError): void;
}

const MAX_PAUSE_MS = 30_000;

/**
 * Sends texts in batches in the background, so that no request waits. No method throws or rejects.
 */
export class Shipper<Kind extends string> {
  delivered = 0;
  dropped = 0;
  readonly queue: BatchQueue<Kind>;
  readonly #settings: ShipperSettings<Kind>;
  #failures = 0;
  #lastError: RiskGateError | undefined;
  /** Created once, because a flood would need one for each text. */
  #fullError: RiskGateError | undefined;
  #stopTimer: () => void = () => {};
  #timerMs = Infinity;
  #running: Promise<boolean> | undefined;
  #closing: Promise<void> | undefined;
  #isFlushing = false;
  #isReleased = false;

  constructor(settings: ShipperSettings<Kind>) {
    this.#settings = settings;
    this.queue = new BatchQueue(settings.limits, settings.kinds);
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Adds text, or drops it if the queue is full or the shipper is closed. */
  add(kind: Kind, text: string): void {
    if (this.#closing) this.drop(this.#settings.closedError(), 1);
    else if (this.queue.add(kind, text)) {
      this.#schedule(this.queue.isDue && this.#failures === 0 ? 0 : this.#pauseMs());
    } else {
      // After a failure, the full queue is just a consequence.
      this.drop(this.#lastError ?? (this.#fullError ??= this.#settings.fullError()), 1);
    }
  }

  drop(error: RiskGateError, texts: number): void {
    if (texts === 0) return;
    this.dropped += texts;
    this.#settings.onDrop(error, texts);
  }

  /** Sends soon, because the sideline has something to send. */
  wake(): void {
    this.#schedule(this.#pauseMs());
  }

  /** Resolves when the queue is empty, a delivery fails, or the flush times out. */
  flush(): Promise<void> {
    return this.#closing ?? this.#flush();
  }

  /** Flushes, drops the rest and releases everything. Later texts are dropped. */
  close(): Promise<void> {
    return (this.#closing ??= Promise.resolve().then(() => this.#close()));
  }

  #schedule(ms: number): void {
    if (this.#running || this.#closing || ms >= this.#timerMs) return;
    this.#stopTimer();
    this.#timerMs = ms;
    this.#stopTimer = startDeadline(ms, () => void this.#run());
  }

  #pauseMs(): number {
    const { intervalMs } = this.#settings;
    return Math.max(
      intervalMs,
      this.#failures && Math.min(MAX_PAUSE_MS, 500 * 2 ** this.#failures),
    );
  }

  #run(): Promise<boolean> {
    this.#stopTimer();
    this.#timerMs = Infinity;
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = undefined;
      if (this.queue.size > 0 || (this.#settings.first?.size ?? 0) > 0) {
        this.#schedule(this.#pauseMs());
      }
    });
    return this.#running;
  }

  /** Resolves to false at the first failure: the remaining batches wait for the next run. */
  async #sendAll(): Promise<boolean> {
    const { first, deliver } = this.#settings;
    await first?.send(this.#isFlushing);
    for (let batch = this.queue.next(); batch; batch = this.queue.next()) {
      try {
        await deliver(batch);
      } catch (thrown) {
        this.#failures++;
        this.#lastError = isRiskGateError(thrown) ? thrown : undefined;
        return false;
      }
      // A batch that outlasts the closing time has already been dropped.
      if (this.#isReleased) return false;
      this.delivered += batch.texts.length;
      this.#failures = 0;
      this.#lastError = undefined;
      this.queue.remove();
    }
    return true;
  }

  async #flush(): Promise<void> {
    const drain = async (): Promise<void> => {
      await this.#running;
      this.#isFlushing = true;
      while ((await this.#run()) && this.queue.size > 0);
      this.#isFlushing = false;
    };
    await limitTime(drain(), this.#settings.flushTimeoutMs, () => {}, true);
  }

  async #close(): Promise<void> {
    const { stop, first, release, closedError, flushTimeoutMs } = this.#settings;
    this.#stopTimer();
    await this.#flush();
    if (stop) {
      stop();
      await this.#running;
    }
    this.#isReleased = true;
    for (let batch = this.queue.next(); batch; batch = this.queue.next()) {
      this.queue.remove();
      this.drop(this.#lastError ?? closedError(), batch.texts.length);
    }
    first?.drop(closedError());
    await limitTime(release(), flushTimeoutMs, () => {}, true);
  }
}

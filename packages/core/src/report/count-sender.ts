import { monotonicMs } from "../base/clock.js";
import type { RiskGateError } from "../base/errors.js";
import type { Sideline } from "../outgoing/shipper.js";
import { countsText, type MinuteCounts, MinuteTally, totalOf } from "./minute-counts.js";
import { isUntaken, readBatchAnswer } from "./report-answer.js";
import type { ReportSender } from "./report-sender.js";
import type { Counter } from "./report.js";

/** Minimum pause after the service rejects counts. */
const PAUSE_MS = 5_000;

/** Sends counts per minute, each only once: a sample sent twice would count twice. */
export class CountSender implements Sideline {
  accepted = 0;
  dropped = 0;
  readonly #sender: ReportSender;
  readonly #onDrop: (error: RiskGateError, counts: number) => void;
  readonly #tally = new MinuteTally();
  #sending = 0;
  #notBeforeMs = -Infinity;

  constructor(sender: ReportSender, onDrop: (error: RiskGateError, counts: number) => void) {
    this.#sender = sender;
    this.#onDrop = onDrop;
  }

  get size(): number {
    return this.#tally.total + this.#sending;
  }

  /** Adds to a counter. Returns the number of old counts dropped to make space. */
  add(counter: Counter, by: number): number {
    return this.#tally.add(counter, by, Date.now());
  }

  async send(isFlushing: boolean): Promise<void> {
    if (!isFlushing && monotonicMs() < this.#notBeforeMs) return;
    for (let minute = this.#tally.take(); minute; minute = this.#tally.take()) {
      if (!(await this.#sendMinute(minute))) return;
    }
  }

  drop(error: RiskGateError, counts?: number): void {
    if (counts === undefined) {
      for (let minute = this.#tally.take(); minute; minute = this.#tally.take()) {
        this.drop(error, totalOf(minute));
      }
    } else if (counts > 0) {
      this.dropped += counts;
      this.#onDrop(error, counts);
    }
  }

  /** Resolves to false if the minute waits for a later run. */
  async #sendMinute(minute: MinuteCounts): Promise<boolean> {
    this.#sending = totalOf(minute);
    try {
      readBatchAnswer(await this.#sender.post("counters", countsText(minute), false));
      this.accepted += this.#sending;
    } catch (thrown) {
      const error = thrown as RiskGateError;
      if (isUntaken(error) && !this.#sender.isStopped) {
        this.#tally.restore(minute);
        this.#notBeforeMs = monotonicMs() + Math.max(error.retryAfterMs ?? 0, PAUSE_MS);
        return false;
      }
      this.drop(error, this.#sending);
    } finally {
      this.#sending = 0;
    }
    return true;
  }
}

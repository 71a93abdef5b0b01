import { type Awaitable, isThenable } from "../model/awaitable.js";
import { startDeadline } from "../base/time-limit.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { CallContext, type PayloadCall } from "./payload-call.js";
import type { FailedPayload } from "./receipt.js";
import type { RunningKeys } from "./running-keys.js";
import type { Reservation, SeenStore } from "./seen-store.js";

export interface Tally {
  handled: number;
  duplicates: number;
  readonly failed: FailedPayload[];
  /** Time ran out before all calls had ended. */
  expired: boolean;
}

export interface RunShare {
  /** Without a store, calls have no keys. */
  readonly seen: SeenStore | undefined;
  readonly running: RunningKeys;
  readonly handlerTimeoutMs: number;
  readonly report: ErrorHook;
}

/**
 * Makes the calls for one delivery in order, each at most once, until all have ended or time runs
 * out.
 *
 * The run acquires all its keys at once, before it waits for anything. It therefore waits only for
 * runs that started earlier, and two deliveries that share payloads never wait for each other.
 * @param secretId Secret that signed the delivery, for the handlers.
 * @throws {RiskGateError} STORE_FAILED if the seen store does not respond.
 */
export function runDelivery(
  calls: readonly PayloadCall[],
  secretId: string,
  share: RunShare,
): Awaitable<Tally> {
  const run = new DeliveryRun(secretId, share);
  const running = run.run(calls);
  // Most runs wait for nothing, and need no timer.
  if (run.hasEnded) return run.tally;
  return new Promise((resolve, reject) => {
    const stop = startDeadline(share.handlerTimeoutMs, () => {
      run.expire();
      // A copy: a handler that ends later must not change the result.
      resolve({ ...run.tally, failed: [...run.tally.failed] });
    });
    running.finally(stop).then(() => resolve(run.tally), reject);
  });
}

class DeliveryRun {
  readonly tally: Tally = { handled: 0, duplicates: 0, failed: [], expired: false };
  hasEnded = false;
  readonly #secretId: string;
  readonly #share: RunShare;
  /** Outcomes of equal calls that other deliveries started; most runs have none. */
  #elsewhere: Map<PayloadCall, Promise<boolean>> | undefined;
  /** Calls to make or to wait for; those from `#next` on have not started. */
  #calls: readonly PayloadCall[] = [];
  #next = 0;
  #keys: readonly string[] = [];
  #holdsKeys = false;
  #succeeded: string[] = [];
  #failed: string[] = [];
  readonly #writes: Promise<void>[] = [];
  #abort: AbortController | undefined;

  constructor(secretId: string, share: RunShare) {
    this.#secretId = secretId;
    this.#share = share;
  }

  get abort(): AbortController {
    return (this.#abort ??= new AbortController());
  }

  /** Awaits only promises, so that a run of synchronous handlers ends immediately. */
  async run(calls: readonly PayloadCall[]): Promise<void> {
    const claimed = this.#claim(calls);
    const { seen } = this.#share;
    if (!seen || this.#keys.length === 0) {
      this.#calls = claimed;
    } else {
      try {
        const reserving = seen.reserve(this.#keys);
        if (isThenable(reserving)) this.#holdKeys();
        const reservations = isThenable(reserving) ? await reserving : reserving;
        if (!Array.isArray(reservations)) throw new TypeError("expected an array");
        this.#admit(claimed, reservations);
      } catch (cause) {
        this.#leave(this.#keys, false);
        throw storeFailed(cause);
      }
    }
    while (this.#next < this.#calls.length && !this.tally.expired) {
      const call = this.#calls[this.#next++]!;
      const elsewhere = this.#elsewhere?.get(call);
      if (elsewhere) {
        this.#beforeWaiting();
        if (await elsewhere) this.tally.duplicates++;
        continue;
      }
      try {
        const result = call.handler(call.payload, new CallContext(this.#secretId, call, this));
        if (isThenable(result)) {
          this.#beforeWaiting();
          await result;
        }
        this.tally.handled++;
        if (call.key !== undefined) this.#succeeded.push(call.key);
      } catch (cause) {
        this.#fail(call, cause);
      }
    }
    this.#record();
    if (this.#writes.length > 0) await Promise.all(this.#writes);
    this.hasEnded = true;
  }

  /**
   * Time has run out. Calls that have not started are released. Started calls keep their
   * reservation until they end, or until the store lets a hanging handler be retried.
   */
  expire(): void {
    this.tally.expired = true;
    const message = "the webhook handlers did not finish in time";
    const error = new RiskGateError("HANDLER_TIMEOUT", message);
    this.abort.abort(error);
    this.#share.report(error);
    const waiting = this.#calls
      .slice(this.#next)
      .flatMap((call) => (this.#elsewhere?.has(call) ? [] : (call.key ?? [])));
    this.#write("release", waiting);
    this.#leave(this.#keys, false);
  }

  /** Acquires every key that no other run holds; returns the calls to make or to wait for. */
  #claim(calls: readonly PayloadCall[]): readonly PayloadCall[] {
    const { running } = this.#share;
    const keys = new Set<string>();
    const left = calls.filter((call) => {
      if (call.key === undefined) return true;
      // The same payload twice in one array: one call counts for both.
      if (keys.has(call.key)) {
        this.tally.duplicates++;
        return false;
      }
      const elsewhere = running.outcome(call.key);
      if (elsewhere) (this.#elsewhere ??= new Map()).set(call, elsewhere);
      else keys.add(call.key);
      return true;
    });
    this.#keys = [...keys];
    return left;
  }

  /** Keeps the calls that the store has not seen; its results are in the order of the keys. */
  #admit(calls: readonly PayloadCall[], reservations: readonly Reservation[]): void {
    if (this.tally.expired) {
      const late = this.#keys.filter((_, index) => reservations[index] === "new");
      this.#write("release", late);
      return;
    }
    const reserved: string[] = [];
    let asked = 0;
    this.#calls = calls.filter((call) => {
      if (call.key === undefined || this.#elsewhere?.has(call)) return true;
      const reservation = reservations[asked++] ?? "busy";
      if (reservation === "new") return reserved.push(call.key) > 0;
      if (reservation === "done") this.tally.duplicates++;
      this.#leave([call.key], reservation === "done");
      return false;
    });
    this.#keys = reserved;
  }

  #fail({ index, key }: PayloadCall, cause: unknown): void {
    const error = new RiskGateError("HANDLER_FAILED", "a webhook handler failed", { cause });
    this.tally.failed.push({ index, error });
    this.#share.report(error);
    if (key !== undefined) this.#failed.push(key);
  }

  /** No other run can see the keys before this run first waits. */
  #holdKeys(): void {
    if (this.#holdsKeys) return;
    this.#holdsKeys = true;
    this.#share.running.hold(this.#keys, this);
  }

  #beforeWaiting(): void {
    this.#holdKeys();
    this.#record();
  }

  /** Records ended calls: one write for all that took no time. */
  #record(): void {
    if (this.#succeeded.length > 0) this.#write("commit", this.#succeeded.splice(0));
    if (this.#failed.length > 0) this.#write("release", this.#failed.splice(0));
  }

  /**
   * Writes to the store. A failed commit or release is reported but is not an error: it costs at
   * most a second run later. Other runs receive the outcome only after the write: until then they
   * must not ask the store.
   */
  #write(outcome: "commit" | "release", keys: readonly string[]): void {
    if (keys.length === 0) return;
    const hasSucceeded = outcome === "commit";
    const failed = (cause: unknown): void => this.#share.report(storeFailed(cause));
    try {
      const writing = this.#share.seen?.[outcome](keys);
      if (isThenable(writing)) {
        this.#holdKeys();
        this.#writes.push(
          Promise.resolve(writing)
            .then(undefined, failed)
            .then(() => this.#leave(keys, hasSucceeded)),
        );
        return;
      }
    } catch (cause) {
      failed(cause);
    }
    this.#leave(keys, hasSucceeded);
  }

  #leave(keys: readonly string[], succeeded: boolean): void {
    this.#share.running.leave(keys, this, succeeded);
  }
}

function storeFailed(cause: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the seen store failed", { cause });
}

import type { Deadlines } from "./deadline.js";
import type { ErrorHook } from "./error-report.js";
import { RiskGateError } from "./errors.js";
import type { FailedPayload } from "./receipt.js";
import type { Awaitable, Reservation, SeenStore } from "./seen-store.js";
import { isThenable } from "./thenable.js";

/** One handler call that a delivery asks for. */
export interface Job {
  readonly index: number;
  /** Identity for the seen store; without it the job runs whatever ran before. */
  readonly key: string | undefined;
  readonly call: (signal: AbortSignal) => unknown;
}

/** What became of the jobs of one delivery. */
export interface Tally {
  handled: number;
  duplicates: number;
  readonly failed: FailedPayload[];
  /** The time was over before all jobs had ended. */
  expired: boolean;
}

/** What the runs of one receiver share. */
export interface RunShare {
  readonly seen: SeenStore | undefined;
  /** Outcome of the jobs that run in this process now, by key: true once handled. */
  readonly running: Map<string, Promise<boolean>>;
  readonly deadlines: Deadlines;
  readonly report: ErrorHook;
}

/**
 * Run the jobs of one delivery in order, each at most once, until all have ended or the time is over.
 *
 * All keys are taken at once and before anything runs: so a run only ever waits for runs that started
 * earlier, and two deliveries that share payloads can never wait for each other.
 *
 * @throws {RiskGateError} STORE_FAILED when the seen store does not answer.
 */
export function runDelivery(jobs: readonly Job[], share: RunShare): Promise<Tally> {
  return new DeliveryRun(jobs, share).run();
}

/** A job to run, or the outcome of an equal one that another delivery runs already. */
interface Turn {
  readonly job: Job;
  readonly elsewhere?: Promise<boolean>;
}

class DeliveryRun {
  readonly #jobs: readonly Job[];
  readonly #share: RunShare;
  readonly #tally: Tally = { handled: 0, duplicates: 0, failed: [], expired: false };
  readonly #abort = new AbortController();
  /** Keys that other deliveries leave to this one, with what tells them the outcome. */
  readonly #places = new Map<string, (handled: boolean) => void>();
  /** Of these, the keys that are reserved in the store and whose handler has not begun. */
  readonly #waiting = new Set<string>();

  constructor(jobs: readonly Job[], share: RunShare) {
    this.#jobs = jobs;
    this.#share = share;
  }

  run(): Promise<Tally> {
    return new Promise((resolve, reject) => {
      const stop = this.#share.deadlines.start(() => {
        this.#expire();
        // A copy: a handler that ends later must not change what was answered.
        resolve({ ...this.#tally, failed: [...this.#tally.failed] });
      });
      this.#work()
        .finally(stop)
        .then(() => resolve(this.#tally), reject);
    });
  }

  async #work(): Promise<void> {
    const writes: Promise<void>[] = [];
    for (const { job, elsewhere } of await this.#takeAll()) {
      if (this.#tally.expired) break;
      if (!elsewhere) {
        const handled = await this.#call(job);
        if (job.key !== undefined) writes.push(this.#finish(job.key, handled));
      } else if (await elsewhere) this.#tally.duplicates++;
    }
    await Promise.all(writes);
  }

  /** Take every key that nobody has; returns the jobs that are left to run or to wait for. */
  async #takeAll(): Promise<Turn[]> {
    const { running, seen } = this.#share;
    const turns: Turn[] = [];
    for (const job of this.#jobs) {
      const { key } = job;
      const elsewhere = key === undefined ? undefined : running.get(key);
      // The same payload twice in one array: the first one counts for both.
      if (key !== undefined && this.#places.has(key)) this.#tally.duplicates++;
      else if (elsewhere) turns.push({ job, elsewhere });
      else {
        if (key !== undefined) {
          running.set(key, new Promise((resolve) => this.#places.set(key, resolve)));
        }
        turns.push({ job });
      }
    }
    if (!seen || this.#places.size === 0) return turns;
    const taken = [...this.#places.keys()];
    const known = await this.#reserve(seen, taken);
    if (this.#tally.expired) {
      const late = taken.filter((key) => known.get(key) === "new");
      await this.#write(() => seen.release(late));
      return [];
    }
    return turns.filter(({ job: { key } }) => {
      const reservation = key === undefined ? undefined : known.get(key);
      if (key === undefined || reservation === undefined) return true;
      if (reservation === "new") {
        this.#waiting.add(key);
        return true;
      }
      if (reservation === "done") this.#tally.duplicates++;
      this.#leave(key, reservation === "done");
      return false;
    });
  }

  async #reserve(seen: SeenStore, keys: readonly string[]): Promise<Map<string, Reservation>> {
    try {
      const reservations = await seen.reserve(keys);
      return new Map(keys.map((key, index) => [key, reservations[index] ?? "busy"]));
    } catch (cause) {
      for (const key of keys) this.#leave(key, false);
      throw storeFailed(cause);
    }
  }

  async #call({ index, key, call }: Job): Promise<boolean> {
    if (key !== undefined) this.#waiting.delete(key);
    try {
      const result = call(this.#abort.signal);
      if (isThenable(result)) await result;
      this.#tally.handled++;
      return true;
    } catch (cause) {
      const error = new RiskGateError("HANDLER_FAILED", "a webhook handler failed", { cause });
      this.#tally.failed.push({ index, error });
      this.#share.report(error);
      return false;
    }
  }

  /** Record the outcome, and only then tell others: until then they must not ask the store. */
  async #finish(key: string, handled: boolean): Promise<void> {
    const { seen } = this.#share;
    if (seen) await this.#write(() => (handled ? seen.commit([key]) : seen.release([key])));
    this.#leave(key, handled);
  }

  /**
   * The time is over. What has not begun is given back. What has begun keeps its reservation until
   * it ends, or until the store lets a handler that never ends have another try.
   */
  #expire(): void {
    const { seen, report } = this.#share;
    this.#tally.expired = true;
    const message = "the webhook handlers did not end in time";
    const error = new RiskGateError("HANDLER_TIMEOUT", message);
    this.#abort.abort(error);
    report(error);
    const waiting = [...this.#waiting];
    if (seen && waiting.length > 0) void this.#write(() => seen.release(waiting));
    for (const key of this.#places.keys()) this.#leave(key, false);
  }

  #leave(key: string, handled: boolean): void {
    const tell = this.#places.get(key);
    if (!tell) return;
    this.#places.delete(key);
    this.#share.running.delete(key);
    tell(handled);
  }

  /** A failed commit or release costs at most a second run later: reported, and no reason to fail. */
  async #write(write: () => Awaitable<void>): Promise<void> {
    try {
      await write();
    } catch (cause) {
      this.#share.report(storeFailed(cause));
    }
  }
}

function storeFailed(cause: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the seen store failed", { cause });
}

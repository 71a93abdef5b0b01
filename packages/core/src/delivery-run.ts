import type { Deadlines } from "./deadline.js";
import type { ErrorHook } from "./error-report.js";
import { RiskGateError } from "./errors.js";
import { type Job, JobContext } from "./job.js";
import type { FailedPayload } from "./receipt.js";
import type { Awaitable, Reservation, SeenStore } from "./seen-store.js";
import { isThenable } from "./thenable.js";

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
  /** Where it is missing, jobs have no keys. */
  readonly seen: SeenStore | undefined;
  /** The jobs that run in this process now, by key. */
  readonly running: Map<string, Place>;
  readonly deadlines: Deadlines;
  readonly report: ErrorHook;
}

/** A key that other deliveries leave to one run. */
interface Place {
  readonly run: DeliveryRun;
  /** Told once whether the job was handled. */
  readonly waiting: ((handled: boolean) => void)[];
}

/**
 * Run the jobs of one delivery in order, each at most once, until all have ended or the time is over.
 *
 * All keys are taken at once and before anything runs: so a run only ever waits for runs that started
 * earlier, and two deliveries that share payloads can never wait for each other.
 *
 * @param secretId Secret that the delivery was signed with, for the handlers.
 * @returns At once where neither a handler nor the store has to be waited for.
 * @throws {RiskGateError} STORE_FAILED when the seen store does not answer.
 */
export function runDelivery(
  jobs: readonly Job[],
  secretId: string,
  share: RunShare,
): Awaitable<Tally> {
  return new DeliveryRun(secretId, share).run(jobs);
}

/** A job to run, or the outcome of an equal one that another delivery runs already. */
interface Turn {
  readonly job: Job;
  readonly elsewhere: Promise<boolean> | undefined;
}

class DeliveryRun {
  readonly #secretId: string;
  readonly #share: RunShare;
  readonly #tally: Tally = { handled: 0, duplicates: 0, failed: [], expired: false };
  /** Keys that other deliveries leave to this one. */
  readonly #keys: string[] = [];
  /** The jobs to run; those from `#next` on have not begun. */
  #turns: readonly Turn[] = [];
  #next = 0;
  readonly #writes: Promise<void>[] = [];
  #abort: AbortController | undefined;

  constructor(secretId: string, share: RunShare) {
    this.#secretId = secretId;
    this.#share = share;
  }

  /** Made on demand: few handlers ask for the signal, and it costs more than the rest of a run. */
  get abort(): AbortController {
    return (this.#abort ??= new AbortController());
  }

  run(jobs: readonly Job[]): Awaitable<Tally> {
    const working = this.#start(this.#claim(jobs));
    if (!working) return this.#tally;
    return new Promise((resolve, reject) => {
      const stop = this.#share.deadlines.start(() => {
        this.#expire();
        // A copy: a handler that ends later must not change what was answered.
        resolve({ ...this.#tally, failed: [...this.#tally.failed] });
      });
      working.finally(stop).then(() => resolve(this.#tally), reject);
    });
  }

  /** Take every key that nobody has; returns the jobs that are left to run or to wait for. */
  #claim(jobs: readonly Job[]): Turn[] {
    const { running } = this.#share;
    const turns: Turn[] = [];
    for (const job of jobs) {
      const { key } = job;
      const place = key === undefined ? undefined : running.get(key);
      // The same payload twice in one array: the first one counts for both.
      if (place?.run === this) this.#tally.duplicates++;
      else if (place) {
        const elsewhere = new Promise<boolean>((resolve) => place.waiting.push(resolve));
        turns.push({ job, elsewhere });
      } else {
        if (key !== undefined) {
          running.set(key, { run: this, waiting: [] });
          this.#keys.push(key);
        }
        turns.push({ job, elsewhere: undefined });
      }
    }
    return turns;
  }

  #start(turns: readonly Turn[]): Promise<void> | undefined {
    const { seen } = this.#share;
    if (!seen || this.#keys.length === 0) {
      this.#turns = turns;
      return this.#advance();
    }
    const go = (reservations: readonly Reservation[]): Promise<void> | undefined => {
      if (!Array.isArray(reservations)) throw this.#giveUp(new TypeError("expected an array"));
      this.#admit(turns, reservations, seen);
      return this.#advance();
    };
    let answer: Awaitable<readonly Reservation[]>;
    try {
      answer = seen.reserve(this.#keys);
    } catch (cause) {
      throw this.#giveUp(cause);
    }
    if (!isThenable(answer)) return go(answer);
    return Promise.resolve(answer).then(go, (cause: unknown) => {
      throw this.#giveUp(cause);
    });
  }

  #giveUp(cause: unknown): RiskGateError {
    for (const key of this.#keys) this.#leave(key, false);
    return storeFailed(cause);
  }

  /** Keep the jobs that the store has not seen; its answers are in the order of the keys. */
  #admit(turns: readonly Turn[], reservations: readonly Reservation[], seen: SeenStore): void {
    if (this.#tally.expired) {
      const late = this.#keys.filter((_, index) => reservations[index] === "new");
      void this.#write(() => seen.release(late));
      return;
    }
    let asked = 0;
    this.#turns = turns.filter(({ job: { key }, elsewhere }) => {
      if (key === undefined || elsewhere) return true;
      const reservation = reservations[asked++] ?? "busy";
      if (reservation === "new") return true;
      if (reservation === "done") this.#tally.duplicates++;
      this.#leave(key, reservation === "done");
      return false;
    });
  }

  /** Run jobs until one has to be waited for; returns nothing where none has. */
  #advance(): Promise<void> | undefined {
    while (this.#isUnderWay()) {
      const pending = this.#take();
      if (pending) return this.#resume(pending);
    }
    return this.#writes.length > 0 ? this.#resume(undefined) : undefined;
  }

  async #resume(pending: Promise<void> | undefined): Promise<void> {
    await pending;
    while (this.#isUnderWay()) await this.#take();
    await Promise.all(this.#writes);
  }

  #isUnderWay(): boolean {
    return this.#next < this.#turns.length && !this.#tally.expired;
  }

  /** Run the next job, or wait for the one that runs elsewhere. */
  #take(): Promise<void> | undefined {
    const { job, elsewhere } = this.#turns[this.#next++]!;
    if (elsewhere) {
      return elsewhere.then((handled) => {
        if (handled) this.#tally.duplicates++;
      });
    }
    try {
      const result = job.handler(job.payload, new JobContext(this.#secretId, job, this));
      if (isThenable(result)) {
        return Promise.resolve(result).then(
          () => this.#succeed(job),
          (cause: unknown) => this.#fail(job, cause),
        );
      }
    } catch (cause) {
      this.#fail(job, cause);
      return undefined;
    }
    this.#succeed(job);
    return undefined;
  }

  #succeed({ key }: Job): void {
    this.#tally.handled++;
    if (key !== undefined) this.#finish(key, true);
  }

  #fail({ index, key }: Job, cause: unknown): void {
    const error = new RiskGateError("HANDLER_FAILED", "a webhook handler failed", { cause });
    this.#tally.failed.push({ index, error });
    this.#share.report(error);
    if (key !== undefined) this.#finish(key, false);
  }

  /** Record the outcome, and only then tell others: until then they must not ask the store. */
  #finish(key: string, handled: boolean): void {
    const { seen } = this.#share;
    const writing = this.#write(() => (handled ? seen?.commit([key]) : seen?.release([key])));
    if (writing) this.#writes.push(writing.then(() => this.#leave(key, handled)));
    else this.#leave(key, handled);
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
    this.abort.abort(error);
    report(error);
    const waiting = this.#turns
      .slice(this.#next)
      .flatMap(({ job: { key }, elsewhere }) => (key === undefined || elsewhere ? [] : [key]));
    if (waiting.length > 0) void this.#write(() => seen?.release(waiting));
    for (const key of this.#keys) this.#leave(key, false);
  }

  #leave(key: string, handled: boolean): void {
    const { running } = this.#share;
    const place = running.get(key);
    if (place?.run !== this) return;
    running.delete(key);
    for (const tell of place.waiting) tell(handled);
  }

  /**
   * A failed commit or release costs at most a second run later: reported, and no reason to fail.
   * Returns nothing where the store is done at once.
   */
  #write(write: () => Awaitable<void> | undefined): Promise<void> | undefined {
    const failed = (cause: unknown): void => this.#share.report(storeFailed(cause));
    try {
      const writing = write();
      return isThenable(writing) ? Promise.resolve(writing).then(undefined, failed) : undefined;
    } catch (cause) {
      failed(cause);
      return undefined;
    }
  }
}

function storeFailed(cause: unknown): RiskGateError {
  return new RiskGateError("STORE_FAILED", "the seen store failed", { cause });
}

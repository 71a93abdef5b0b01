import type { Deadlines } from "../base/deadline.js";
import type { ErrorHook } from "../base/error-report.js";
import { RiskGateError } from "../base/errors.js";
import { callHandler, type Job, JobContext } from "./job.js";
import type { FailedPayload } from "./receipt.js";
import type { RunningKeys } from "./running-keys.js";
import type { Reservation, SeenStore } from "./seen-store.js";
import { type SeenWrite, storeFailed, writeSeen } from "./seen-write.js";
import { type Awaitable, isThenable } from "../base/awaitable.js";
import type { AnyHandler } from "./handlers.js";

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
  readonly handlers: ReadonlyMap<string, AnyHandler>;
  /** Where it is missing, jobs have no keys. */
  readonly seen: SeenStore | undefined;
  readonly running: RunningKeys;
  readonly deadlines: Deadlines;
  readonly report: ErrorHook;
}

type JobKeys = readonly (string | undefined)[];

/**
 * Run the jobs of one delivery in order, each at most once, until all have ended or the time is over.
 *
 * All keys are taken at once and before anything runs: so a run only ever waits for runs that started
 * earlier, and two deliveries that share payloads can never wait for each other.
 *
 * @param keys Identities of the jobs for the seen store, by their index; a job that has none runs
 *   whatever ran before.
 * @param secretId Secret that the delivery was signed with, for the handlers.
 * @returns At once where neither a handler nor the store has to be waited for.
 * @throws {RiskGateError} STORE_FAILED when the seen store does not answer.
 */
export function runDelivery(
  jobs: readonly Job[],
  keys: JobKeys,
  secretId: string,
  share: RunShare,
): Awaitable<Tally> {
  return new DeliveryRun(keys, secretId, share).run(jobs);
}

class DeliveryRun {
  readonly #jobKeys: JobKeys;
  readonly #secretId: string;
  readonly #share: RunShare;
  readonly #tally: Tally = { handled: 0, duplicates: 0, failed: [], expired: false };
  /** The jobs to run; those from `#next` on have not begun. */
  #jobs: readonly Job[] = [];
  #next = 0;
  /** Outcomes of equal jobs that other deliveries run already. */
  #elsewhere: Map<Job, Promise<boolean>> | undefined;
  /** Keys that this run has taken, of the jobs that are not `#elsewhere`. */
  #keys: readonly string[] = [];
  #isHeld = false;
  /** Keys of jobs that have ended and are not recorded yet. */
  #succeeded: string[] = [];
  #failed: string[] = [];
  readonly #writes: Promise<void>[] = [];
  #abort: AbortController | undefined;

  constructor(jobKeys: JobKeys, secretId: string, share: RunShare) {
    this.#jobKeys = jobKeys;
    this.#secretId = secretId;
    this.#share = share;
  }

  /** Made on demand: few handlers ask for the signal, and it costs more than the rest of a run. */
  get abort(): AbortController {
    return (this.#abort ??= new AbortController());
  }

  run(jobs: readonly Job[]): Awaitable<Tally> {
    const working = this.#start(jobs);
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

  #start(jobs: readonly Job[]): Promise<void> | undefined {
    const { seen } = this.#share;
    const claimed = seen ? this.#claim(jobs) : jobs;
    if (!seen || this.#keys.length === 0) {
      this.#jobs = claimed;
      return this.#advance();
    }
    const go = (reservations: readonly Reservation[]): Promise<void> | undefined => {
      if (!Array.isArray(reservations)) throw this.#giveUp(new TypeError("expected an array"));
      this.#admit(claimed, reservations, seen);
      return this.#advance();
    };
    let answer: Awaitable<readonly Reservation[]>;
    try {
      answer = seen.reserve(this.#keys);
    } catch (cause) {
      throw this.#giveUp(cause);
    }
    if (!isThenable(answer)) return go(answer);
    this.#hold();
    return Promise.resolve(answer).then(go, (cause: unknown) => {
      throw this.#giveUp(cause);
    });
  }

  /** Take every key that nobody has; returns the jobs that are left to run or to wait for. */
  #claim(jobs: readonly Job[]): readonly Job[] {
    const { running } = this.#share;
    const keys = new Set<string>();
    const left: Job[] = [];
    for (const job of jobs) {
      const key = this.#jobKeys[job.index];
      // The same payload twice in one array: the first one counts for both.
      if (key !== undefined && keys.has(key)) {
        this.#tally.duplicates++;
        continue;
      }
      left.push(job);
      if (key === undefined) continue;
      const elsewhere = running.outcome(key);
      if (elsewhere) (this.#elsewhere ??= new Map()).set(job, elsewhere);
      else keys.add(key);
    }
    this.#keys = [...keys];
    return left;
  }

  /**
   * Let other deliveries wait for the keys taken here. Needed as soon as something else can happen
   * before this run has ended, and not sooner: most runs end at once.
   */
  #hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#share.running.hold(this.#keys, this);
  }

  #giveUp(cause: unknown): RiskGateError {
    this.#leave(this.#keys, false);
    return storeFailed(cause);
  }

  /** Keep the jobs that the store has not seen; its answers are in the order of the keys. */
  #admit(jobs: readonly Job[], reservations: readonly Reservation[], seen: SeenStore): void {
    if (this.#tally.expired) {
      const late = this.#keys.filter((_, index) => reservations[index] === "new");
      void this.#write(() => seen.release(late));
      return;
    }
    let asked = 0;
    const kept: string[] = [];
    this.#jobs = jobs.filter((job) => {
      const key = this.#jobKeys[job.index];
      if (key === undefined || this.#elsewhere?.has(job)) return true;
      const reservation = reservations[asked++] ?? "busy";
      if (reservation === "new") {
        kept.push(key);
        return true;
      }
      if (reservation === "done") this.#tally.duplicates++;
      this.#leave([key], reservation === "done");
      return false;
    });
    this.#keys = kept;
  }

  #advance(): Promise<void> | undefined {
    const pending = this.#runOn();
    if (!pending) this.#record();
    return pending || this.#writes.length > 0 ? this.#wait(pending) : undefined;
  }

  async #wait(first: Promise<void> | undefined): Promise<void> {
    this.#hold();
    for (let pending = first; pending; pending = this.#runOn()) {
      this.#record();
      await pending;
    }
    this.#record();
    await Promise.all(this.#writes);
  }

  /** Run jobs until one has to be waited for; returns nothing where none has. */
  #runOn(): Promise<void> | undefined {
    while (this.#next < this.#jobs.length && !this.#tally.expired) {
      const pending = this.#take();
      if (pending) return pending;
    }
    return undefined;
  }

  /** Run the next job, or wait for the one that runs elsewhere. */
  #take(): Promise<void> | undefined {
    const job = this.#jobs[this.#next++]!;
    const elsewhere = this.#elsewhere?.get(job);
    if (elsewhere) {
      return elsewhere.then((handled) => {
        if (handled) this.#tally.duplicates++;
      });
    }
    try {
      const context = new JobContext(this.#secretId, job, this);
      const result = callHandler(this.#share.handlers, job, context);
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

  #succeed({ index }: Job): void {
    this.#tally.handled++;
    const key = this.#jobKeys[index];
    if (key !== undefined) this.#succeeded.push(key);
  }

  #fail({ index }: Job, cause: unknown): void {
    const error = new RiskGateError("HANDLER_FAILED", "a webhook handler failed", { cause });
    this.#tally.failed.push({ index, error });
    this.#share.report(error);
    const key = this.#jobKeys[index];
    if (key !== undefined) this.#failed.push(key);
  }

  /** Record what has ended, before anything is waited for: one write for all that took no time. */
  #record(): void {
    const { seen } = this.#share;
    const succeeded = this.#succeeded;
    const failed = this.#failed;
    if (succeeded.length > 0) {
      this.#succeeded = [];
      this.#finish(succeeded, true, () => seen?.commit(succeeded));
    }
    if (failed.length > 0) {
      this.#failed = [];
      this.#finish(failed, false, () => seen?.release(failed));
    }
  }

  /** Only what is recorded is told to others: until then they must not ask the store. */
  #finish(keys: readonly string[], handled: boolean, write: SeenWrite): void {
    const writing = this.#write(write);
    if (writing) this.#writes.push(writing.then(() => this.#leave(keys, handled)));
    else this.#leave(keys, handled);
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
    const waiting = this.#jobs
      .slice(this.#next)
      .filter((job) => !this.#elsewhere?.has(job))
      .flatMap(({ index }) => this.#jobKeys[index] ?? []);
    if (waiting.length > 0) void this.#write(() => seen?.release(waiting));
    this.#leave(this.#keys, false);
  }

  #write(write: SeenWrite): Promise<void> | undefined {
    return writeSeen(write, this.#share.report);
  }

  #leave(keys: readonly string[], handled: boolean): void {
    this.#share.running.leave(keys, this, handled);
  }
}

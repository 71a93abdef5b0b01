import type { Deadlines } from "./deadline.js";
import type { ErrorHook } from "./error-report.js";
import { RiskGateError } from "./errors.js";
import type { FailedPayload } from "./receipt.js";
import type { Awaitable, SeenStore } from "./seen-store.js";
import { isThenable } from "./thenable.js";

/** One handler call that a delivery asks for. */
export interface Job {
  readonly index: number;
  /** Identity for the seen store; without it the job runs whatever ran before. */
  readonly key: string | undefined;
  call(signal: AbortSignal): unknown;
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
  const { seen, running, deadlines, report } = share;
  const tally: Tally = { handled: 0, duplicates: 0, failed: [], expired: false };
  const abort = new AbortController();
  /** Keys that this run has taken and not settled, with what tells others of the outcome. */
  const taken = new Map<string, (handled: boolean) => void>();

  const storeFailed = (cause: unknown): RiskGateError =>
    new RiskGateError("STORE_FAILED", "the seen store failed", { cause });
  const settle = (keys: readonly string[], handled: boolean): void => {
    for (const key of keys) {
      taken.get(key)?.(handled);
      taken.delete(key);
      running.delete(key);
    }
  };
  /** A failed commit or release costs at most a second run later: reported, and no reason to fail. */
  const store = async (write: () => Awaitable<void>): Promise<void> => {
    try {
      await write();
    } catch (cause) {
      report(storeFailed(cause));
    }
  };
  /** What others hold is theirs to release: true once every key taken is reserved by this run. */
  let reserved = false;
  const giveBack = async (keys: readonly string[]): Promise<void> => {
    settle(keys, false);
    if (seen && reserved && keys.length > 0) await store(() => seen.release(keys));
  };

  /** Take every key that nobody has; returns the jobs that are left to run or to wait for. */
  const take = async (): Promise<{ job: Job; elsewhere?: Promise<boolean> }[]> => {
    const left: { job: Job; elsewhere?: Promise<boolean> }[] = [];
    for (const job of jobs) {
      const { key } = job;
      if (key === undefined) left.push({ job });
      // The same payload twice in one array: the first one counts for both.
      else if (taken.has(key)) tally.duplicates++;
      else {
        const elsewhere = running.get(key);
        if (elsewhere) left.push({ job, elsewhere });
        else {
          running.set(key, new Promise((resolve) => taken.set(key, resolve)));
          left.push({ job });
        }
      }
    }
    const keys = [...taken.keys()];
    if (!seen || keys.length === 0) return left;
    const reservations = await seen.reserve(keys);
    if (tally.expired) {
      const late = keys.filter((_, index) => reservations[index] === "new");
      if (late.length > 0) await store(() => seen.release(late));
      return [];
    }
    reserved = true;
    const known = new Map(keys.map((key, index) => [key, reservations[index]]));
    return left.filter(({ job: { key }, elsewhere }) => {
      const reservation = key === undefined || elsewhere ? "new" : known.get(key);
      if (reservation === "new") return true;
      if (reservation === "done") tally.duplicates++;
      settle([key!], reservation === "done");
      return false;
    });
  };

  const work = async (): Promise<void> => {
    let left;
    try {
      left = await take();
    } catch (cause) {
      settle([...taken.keys()], false);
      throw storeFailed(cause);
    }
    const commits: Promise<void>[] = [];
    for (const { job, elsewhere } of left) {
      if (tally.expired) break;
      if (elsewhere) {
        if (await elsewhere) tally.duplicates++;
        continue;
      }
      const { key } = job;
      // From here on the end of the time no longer gives this key back: the handler has it.
      const tell = key === undefined ? undefined : taken.get(key);
      if (key !== undefined) taken.delete(key);
      let handled = false;
      try {
        const result = job.call(abort.signal);
        if (isThenable(result)) await result;
        handled = true;
        tally.handled++;
      } catch (cause) {
        const error = new RiskGateError("HANDLER_FAILED", "a webhook handler failed", { cause });
        tally.failed.push({ index: job.index, error });
        report(error);
      }
      if (key === undefined || !seen) continue;
      const write = (): Awaitable<void> => (handled ? seen.commit([key]) : seen.release([key]));
      // Only then: whoever asks the store in between must find this run, and not a reservation.
      const written = store(write).then(() => {
        running.delete(key);
        tell?.(handled);
      });
      commits.push(written);
    }
    await Promise.all(commits);
  };

  return new Promise((resolve, reject) => {
    const stop = deadlines.start(() => {
      tally.expired = true;
      const error = new RiskGateError(
        "HANDLER_TIMEOUT",
        "the webhook handlers did not end in time",
      );
      abort.abort(error);
      report(error);
      void giveBack([...taken.keys()]);
      // A copy: a handler that ends later must not change what was answered.
      resolve({ ...tally, failed: [...tally.failed] });
    });
    work()
      .finally(stop)
      .then(() => resolve(tally), reject);
  });
}

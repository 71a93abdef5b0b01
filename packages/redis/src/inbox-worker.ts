import type { Job, JobsOptions, Worker } from "bullmq";
import type { Receipt } from "@riskgate/core";
import type { AcceptedDelivery } from "@riskgate/core/payloads";
import { nextStep } from "@riskgate/core/payloads";
import { deliveryOf, elementJobs, failedIndexes, type InboxJob } from "./inbox-job.js";
import { type InboxQueues, queueOptions } from "./inbox-queues.js";

export interface InboxWorkSettings {
  readonly prefix: string;
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly lockMs: number;
  readonly maxParked: number;
  readonly process: (delivery: AcceptedDelivery) => Promise<Receipt>;
  readonly onError: (cause: unknown) => void;
  /** Receives the reason when an element is parked. */
  readonly onPark: (reason: string) => void;
}

/** Longest wait before a postponed job is checked again. */
const MAX_POSTPONE_MS = 15_000;

/** After this many checks, hours later, a job still handled elsewhere counts as failed. */
const MAX_POSTPONED = 1_000;

/** We count attempts ourselves: BullMQ would count crashes separately from failures. */
const NEVER = 1_000_000;

export function jobOptions({
  maxAttempts,
  backoffMs,
  maxParked,
}: Pick<InboxWorkSettings, "maxAttempts" | "backoffMs" | "maxParked">): JobsOptions {
  return {
    attempts: maxAttempts,
    backoff: { type: "exponential", delay: backoffMs, jitter: 0.25 },
    removeOnComplete: true,
    removeOnFail: { count: maxParked },
  };
}

export function startWorkers(queues: InboxQueues, settings: InboxWorkSettings): Worker[] {
  const work = new InboxWork(queues, settings);
  const { Worker } = queues.bullmq;
  const shared = {
    ...queueOptions(queues.connection, settings.prefix),
    // If it knows the version, BullMQ wakes up when a delay ends; otherwise up to a second later.
    skipVersionCheck: queues.problems.length > 0,
    lockDuration: settings.lockMs,
    stalledInterval: Math.ceil(settings.lockMs / 2),
    maxStalledCount: NEVER,
    runRetryDelay: 1_000,
  };
  return [
    new Worker<InboxJob>(
      queues.deliveries.name,
      async (job, token) => (job.stalledCounter > 0 ? work.suspect(job) : work.handle(job, token)),
      { ...shared, concurrency: settings.concurrency },
    ),
    new Worker<InboxJob>(queues.suspects.name, async (job, token) => work.handle(job, token), {
      ...shared,
      concurrency: 1,
    }),
  ].map((worker) => worker.on("error", settings.onError));
}

class InboxWork {
  readonly #queues: InboxQueues;
  readonly #settings: InboxWorkSettings;

  constructor(queues: InboxQueues, settings: InboxWorkSettings) {
    this.#queues = queues;
    this.#settings = settings;
  }

  /** Its process crashed or stalled for longer than `lockMs`, perhaps because of one element. */
  async suspect(job: Job<InboxJob>): Promise<void> {
    await this.#split(job, startsOf(job) - 1, "suspects");
  }

  async handle(job: Job<InboxJob>, token: string | undefined): Promise<void> {
    const starts = startsOf(job);
    const { maxAttempts, process } = this.#settings;
    if (starts > maxAttempts) {
      return this.#park(`all ${maxAttempts} attempts were started, and none succeeded`);
    }
    let receipt: Receipt | undefined;
    let cause: unknown;
    try {
      receipt = await process(deliveryOf(job.data));
      if (nextStep(receipt) === "done") return;
      cause = receipt.failed[0]?.error;
    } catch (error) {
      cause = error;
    }
    const isHeld = receipt !== undefined && nextStep(receipt) === "postpone";
    if (isHeld && receipt?.handled === 0 && (job.data.postponed ?? 0) < MAX_POSTPONED) {
      return this.#postpone(job, token);
    }
    const counted = isHeld ? starts - 1 : starts;
    const again = await this.#split(job, counted, "deliveries", receipt && failedIndexes(receipt));
    if (again) return;
    const reason = `attempt ${starts} failed: ${receipt?.code ?? "the receiver threw"}`;
    if (starts >= maxAttempts) return this.#park(reason, cause);
    throw new Error(reason);
  }

  /**
   * Creates a separate job for each element. Fixed ids make repeating this safe if the process
   * exits before this job finishes.
   *
   * @returns True if that completes the job; a job with a single element is retried itself.
   */
  async #split(
    job: Job<InboxJob>,
    starts: number,
    to: "deliveries" | "suspects",
    only?: ReadonlySet<number>,
  ): Promise<boolean> {
    const elements = elementJobs(job.data, starts);
    if (to === "deliveries" && elements.length === 1) return false;
    const options = jobOptions(this.#settings);
    const delay = to === "deliveries" ? this.#settings.backoffMs : 0;
    const jobs = elements
      .filter(({ index = 0 }) => elements.length === 1 || (only?.has(index) ?? true))
      .map((data) => ({
        name: "element",
        data,
        opts: { ...options, delay, jobId: `${job.id}-${data.index ?? 0}` },
      }));
    await this.#queues[to].addBulk(jobs);
    return true;
  }

  /** Nothing was started: another process has it, or the seen store is down. Not an attempt. */
  async #postpone(job: Job<InboxJob>, token: string | undefined): Promise<never> {
    const { backoffMs } = this.#settings;
    const postponed = (job.data.postponed ?? 0) + 1;
    await job.updateData({ ...job.data, postponed });
    const waitMs = Math.min(MAX_POSTPONE_MS, backoffMs * 2 ** Math.min(postponed - 1, 20));
    await job.moveToDelayed(Date.now() + waitMs, token);
    throw new this.#queues.bullmq.DelayedError();
  }

  /** BullMQ stores jobs that must not be retried, with the reason. */
  #park(reason: string, cause?: unknown): never {
    this.#settings.onPark(reason);
    throw Object.assign(new this.#queues.bullmq.UnrecoverableError(reason), { cause });
  }
}

/** Returns the number of attempts started for this job's content, including the current one. */
function startsOf(job: Job<InboxJob>): number {
  return (job.data.starts ?? 0) + job.attemptsStarted - (job.data.postponed ?? 0);
}

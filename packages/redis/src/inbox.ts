import { type Receipt, RiskGateError } from "@riskgate/core";
import type {
  AcceptedDelivery,
  DurableInbox,
  InboxCounts,
  ParkedDelivery,
} from "@riskgate/core/payloads";
import { readOptions } from "@riskgate/core/adapter";
import {
  createErrorReport,
  type ErrorHook,
  GuardedServer,
  limitTime,
} from "@riskgate/core/internal";
import { connectionOf, type RedisClient, type RedisConnection } from "./client.js";
import { deliveryOf, jobOf, isJob, NO_JOB } from "./inbox-job.js";
import { type InboxQueues, openQueues } from "./inbox-queues.js";
import { jobOptions, startWorkers } from "./inbox-worker.js";

export interface RedisInboxOptions {
  /**
   * Name of the inbox, without a colon. All processes with this name share stored deliveries, so
   * each webhook of each application needs a different name.
   */
  readonly name: string;
  /** Prefix of every key; default `{riskgate}`, whose braces keep the keys in one cluster slot. */
  readonly prefix?: string;
  /** Whether this process also handles deliveries; default true. */
  readonly work?: boolean;
  /** Number of deliveries handled concurrently in this process; default 10. */
  readonly concurrency?: number;
  /** Maximum number of attempts for an element, including the first; default 5. */
  readonly maxAttempts?: number;
  /** Wait before the second attempt, in milliseconds; doubles with each attempt. Default 1,000. */
  readonly backoffMs?: number;
  /**
   * How long a process may be silent before another takes over its deliveries, in milliseconds;
   * default 30,000. A process is silent if it has exited or its event loop is blocked.
   */
  readonly lockMs?: number;
  /** Milliseconds for storing a delivery; default 1,800, below core's `inboxTimeoutMs`. */
  readonly timeoutMs?: number;
  /** How long `close` waits for running handlers, in milliseconds; default 8,000. */
  readonly closeTimeoutMs?: number;
  /** Maximum number of parked elements; default 10,000. Beyond it, the oldest is dropped. */
  readonly maxParked?: number;
  /** Fail if Redis settings can lose an acknowledged delivery; by default only a warning. */
  readonly strict?: boolean;
  /** Receives each Redis error and each parked element; by default a warning every 10 seconds. */
  readonly onError?: ErrorHook;
}

/**
 * Accepted deliveries in Redis that are not yet handled. `ready` waits for Redis however long that
 * takes, and rejects with CONFIG_INVALID if its settings can lose deliveries and `strict` is set.
 * `close` leaves the application's client open; another process handles any unfinished deliveries.
 */
export type RedisInbox = DurableInbox;

/** Maximum bytes being sent to Redis; further deliveries are refused meanwhile. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/**
 * Creates an inbox that stores deliveries in Redis before they are acknowledged, and handles them
 * in any process, for the option `inbox` of a receiver or webhook route. Each is handled at least
 * once.
 *
 * @param redis The inbox opens duplicates of this connection.
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function createRedisInbox(redis: RedisClient, options: RedisInboxOptions): RedisInbox {
  return new BullInbox(redis, options);
}

type Process = (delivery: AcceptedDelivery) => Promise<Receipt>;

class BullInbox implements RedisInbox {
  readonly #settings: ReturnType<typeof readInboxOptions>;
  readonly #closing = new AbortController();
  readonly #opened: Promise<InboxQueues>;
  readonly #server: GuardedServer;
  #workers: ReturnType<typeof startWorkers> = [];
  #process: Process | undefined;
  #pendingBytes = 0;
  #closed: Promise<void> | undefined;

  constructor(redis: RedisClient, options: RedisInboxOptions) {
    this.#settings = readInboxOptions(options);
    const { timeoutMs } = this.#settings;
    this.#opened = this.#open(connectionOf("createRedisInbox", redis));
    // Each caller receives the error; without a caller, each refusal reports it.
    this.#opened.catch(() => {});
    this.#server = new GuardedServer({
      name: "Redis",
      timeoutMs,
      waitMs: Math.min(timeoutMs, 500),
      ping: async () => (await this.#opened).connection.send("PING"),
      onDown: (cause) => this.#report(cause),
    });
  }

  async accept(delivery: AcceptedDelivery): Promise<void> {
    const { length } = delivery.body;
    if (this.#pendingBytes + length > MAX_PENDING_BYTES) {
      throw unavailable("too many deliveries are waiting to be stored");
    }
    await this.#server.run(async () => {
      this.#pendingBytes += length;
      try {
        const { deliveries } = await this.#queues();
        await deliveries.add("delivery", jobOf(delivery), jobOptions(this.#settings));
      } finally {
        this.#pendingBytes -= length;
      }
    });
  }

  attach(process: Process): void {
    if (this.#process) {
      throw new RiskGateError(
        "CONFIG_INVALID",
        "an inbox serves one receiver: create another inbox, with another `name`, for the second one",
      );
    }
    this.#process = process;
    if (this.#settings.work) void this.#work(process);
  }

  async ready(): Promise<void> {
    await this.#queues();
  }

  async counts(): Promise<InboxCounts> {
    const { deliveries, suspects } = await this.#queues();
    const [first, second] = await Promise.all(
      [deliveries, suspects].map(async (queue) =>
        queue.getJobCounts("waiting", "active", "delayed", "failed"),
      ),
    );
    const sum = (state: string): number => (first?.[state] ?? 0) + (second?.[state] ?? 0);
    return {
      waiting: sum("waiting"),
      active: sum("active"),
      delayed: sum("delayed"),
      parked: sum("failed"),
    };
  }

  async parked(limit = 100): Promise<readonly ParkedDelivery[]> {
    const { deliveries, suspects } = await this.#queues();
    const jobs = await Promise.all(
      [deliveries, suspects].map(async (queue) => queue.getFailed(0, limit - 1)),
    );
    return jobs
      .flat()
      .map((job) => ({
        id: `${job.queueName}:${job.id}`,
        delivery: deliveryOf(isJob(job.data) ? job.data : NO_JOB),
        reason: job.failedReason,
        parkedMs: job.finishedOn ?? 0,
      }))
      .toSorted((one, other) => other.parkedMs - one.parkedMs)
      .slice(0, limit);
  }

  async retryParked(): Promise<number> {
    const { deliveries, suspects } = await this.#queues();
    let count = 0;
    for (const queue of [deliveries, suspects]) {
      for (const job of await queue.getFailed()) {
        await job.updateData({ ...job.data, starts: 0, postponed: 0 });
        await job.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
        count++;
      }
    }
    return count;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    const queues = await this.#opened.catch(() => undefined);
    if (!queues) return;
    const closing = Promise.all(this.#workers.map(async (worker) => worker.close()));
    try {
      await limitTime(closing, this.#settings.closeTimeoutMs);
    } catch (cause) {
      this.#report(cause);
      for (const worker of this.#workers) void worker.disconnect().catch(() => {});
    }
    queues.connection.close();
  }

  async #open(connection: RedisConnection): Promise<InboxQueues> {
    const { name, prefix, strict } = this.#settings;
    const onError = (cause: unknown): void => this.#report(cause);
    const queues = await openQueues(connection, { name, prefix, onError }, this.#closing.signal);
    if (!queues) throw unavailable("the inbox is closed");
    if (queues.problems.length === 0) return queues;
    const message = `Redis can lose deliveries in the inbox "${name}": ${queues.problems.join("; ")}`;
    if (strict) {
      queues.connection.close();
      throw new RiskGateError("CONFIG_INVALID", message);
    }
    process.emitWarning(message, { type: "RiskGateWarning", code: "RISKGATE_REDIS_NOT_DURABLE" });
    return queues;
  }

  async #queues(): Promise<InboxQueues> {
    if (this.#closing.signal.aborted) throw unavailable("the inbox is closed");
    return this.#opened;
  }

  async #work(process: Process): Promise<void> {
    try {
      const queues = await this.#queues();
      if (this.#closing.signal.aborted) return;
      const onPark = (reason: string): void =>
        this.#settings.report(
          new RiskGateError("HANDLER_FAILED", `an element was parked: ${reason}`),
        );
      const onError = (cause: unknown): void => this.#report(cause);
      this.#workers = startWorkers(queues, { ...this.#settings, process, onPark, onError });
    } catch (cause) {
      if (!this.#closing.signal.aborted) this.#report(cause);
    }
  }

  /** While it closes, its connections fail as expected. */
  #report(cause: unknown): void {
    if (this.#closing.signal.aborted) return;
    this.#settings.report(unavailable("Redis failed behind the inbox", cause));
  }
}

function readInboxOptions(options: RedisInboxOptions) {
  return readOptions("createRedisInbox", options, (given) => {
    const name = given.string("name");
    if (name === undefined || !/^[^:\s]+(?<!-suspects)$/.test(name)) {
      const expected = 'a text without colons and blanks, and without "-suspects" at its end';
      return given.refuse("name", expected, name);
    }
    return {
      name,
      prefix: given.string("prefix") ?? "{riskgate}",
      work: given.boolean("work", true),
      concurrency: given.integer("concurrency", 10),
      maxAttempts: given.integer("maxAttempts", 5),
      backoffMs: given.durationMs("backoffMs", 1_000),
      lockMs: given.durationMs("lockMs", 30_000),
      timeoutMs: given.durationMs("timeoutMs", 1_800),
      closeTimeoutMs: given.durationMs("closeTimeoutMs", 8_000),
      maxParked: given.integer("maxParked", 10_000),
      strict: given.boolean("strict", false),
      report: createErrorReport(given.function<ErrorHook>("onError")),
    };
  });
}

function unavailable(message: string, cause?: unknown): RiskGateError {
  return new RiskGateError("INBOX_UNAVAILABLE", message, cause === undefined ? {} : { cause });
}

import { setTimeout as pause } from "node:timers/promises";
import type * as BullMQ from "bullmq";
import type { OwnConnection, RedisConnection } from "./client.js";
import { durabilityProblems } from "./durability.js";
import type { InboxJob } from "./inbox-job.js";

export interface InboxQueues {
  readonly connection: OwnConnection;
  /** BullMQ itself, loaded on demand: it takes 200 ms to load, and only an inbox needs it. */
  readonly bullmq: typeof BullMQ;
  /** Whole deliveries, and elements whose handler failed. */
  readonly deliveries: BullMQ.Queue<InboxJob>;
  /**
   * Elements of deliveries whose process crashed. Each process handles one at a time, which shows
   * which element causes crashes and costs the others only one attempt.
   */
  readonly suspects: BullMQ.Queue<InboxJob>;
  /** Redis settings that can lose an acknowledged delivery. */
  readonly problems: readonly string[];
}

/** Names of one inbox's queues, and the hook that receives their errors. */
export interface InboxQueueSettings {
  readonly name: string;
  readonly prefix: string;
  readonly onError: (cause: unknown) => void;
}

const RETRY_MS = 500;

/** Opens the queues once Redis responds, however long that takes; undefined if `signal` fires. */
export async function openQueues(
  redis: RedisConnection,
  settings: InboxQueueSettings,
  signal: AbortSignal,
): Promise<InboxQueues | undefined> {
  const bullmq = await import("bullmq");
  while (!signal.aborted) {
    const connection = redis.duplicate();
    const queues = [settings.name, `${settings.name}-suspects`].map(
      (name) => new bullmq.Queue<InboxJob>(name, queueOptions(connection, settings.prefix)),
    ) as [BullMQ.Queue<InboxJob>, BullMQ.Queue<InboxJob>];
    const stop = (): void => connection.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      for (const queue of queues) queue.on("error", settings.onError);
      await Promise.all(queues.map(async (queue) => queue.waitUntilReady()));
      const info = String(await connection.send("INFO"));
      const [deliveries, suspects] = queues;
      const problems = durabilityProblems(info);
      return { connection, bullmq, deliveries, suspects, problems };
    } catch (cause) {
      connection.close();
      if (signal.aborted) break;
      settings.onError(cause);
      await pause(RETRY_MS, undefined, { ref: false });
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
  return undefined;
}

/**
 * Options common to queues and workers. BullMQ would check version and settings, and print warnings
 * about settings that `durabilityProblems` reports.
 */
export function queueOptions(
  { client }: OwnConnection,
  prefix: string,
): { connection: BullMQ.ConnectionOptions; prefix: string; skipVersionCheck: true } {
  return { connection: client, prefix, skipVersionCheck: true };
}

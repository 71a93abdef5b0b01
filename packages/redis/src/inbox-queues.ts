import { setTimeout as pause } from "node:timers/promises";
import type * as BullMQ from "bullmq";
import type { OwnConnection, RedisConnection } from "./client.js";
import { durabilityProblems } from "./durability.js";
import type { InboxJob } from "./inbox-job.js";

/** Queues of an inbox in Redis, and their connection. */
export interface InboxQueues {
  readonly connection: OwnConnection;
  /** BullMQ itself: it takes a fifth of a second to load, and only an inbox needs it. */
  readonly bullmq: typeof BullMQ;
  /** Whole deliveries, and elements whose handler failed. */
  readonly deliveries: BullMQ.Queue<InboxJob>;
  /**
   * Elements of deliveries whose process ended, one at a time in each process: so it shows which one
   * ends it, and the others pay for it only once.
   */
  readonly suspects: BullMQ.Queue<InboxJob>;
  /** Settings of Redis that can lose an acknowledged delivery. */
  readonly problems: readonly string[];
}

/** Names of the queues of one inbox, and the hook that receives their errors. */
export interface InboxQueueSettings {
  readonly name: string;
  readonly prefix: string;
  readonly onError: (cause: unknown) => void;
}

const RETRY_MS = 500;

/** Opens the queues as soon as Redis answers, however long that takes; undefined once `signal` ends. */
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
 * What queues and workers have in common. BullMQ would look at version and settings, and print what
 * it thinks of settings that `durabilityProblems` names.
 */
export function queueOptions(
  { client }: OwnConnection,
  prefix: string,
): { connection: BullMQ.ConnectionOptions; prefix: string; skipVersionCheck: true } {
  return { connection: client, prefix, skipVersionCheck: true };
}

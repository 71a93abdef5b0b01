import type { FeedRefresher } from "./lookups/feed-refresher.js";
import { type Instant, instantOf } from "./model/instant.js";
import type { Part } from "./base/part-list.js";
import type { RecentScores } from "./rehearsal/recent-scores.js";
import { repeat } from "./base/repeat.js";
import type { Storage } from "./storage/storage.js";

export interface MaintenanceParts {
  readonly storage: Storage;
  readonly scores: Pick<RecentScores, "sweep">;
  readonly refresher: FeedRefresher;
  readonly refreshEveryMs: number;
  /** How long events, ended incidents, finished deliveries and decisions are stored. */
  readonly retentionMs: number;
  /** How long events count in the ledger. */
  readonly ledgerRetentionMs: number;
  readonly onError: (error: unknown) => void;
}

const PRUNE_EVERY_MS = 3_600_000;

/** Interval at which a process looks whether pruning is due. */
const LOOK_EVERY_MS = 60_000;
const ERASE_EVERY_MS = 30_000;

/** Creates the part that runs recurring tasks: feed updates, retention and pending erasures. */
export function createMaintenance(parts: MaintenanceParts): Part {
  const { storage, scores, refresher, refreshEveryMs, onError } = parts;

  const ago = (ms: number): Instant => storage.clock() - instantOf(ms);

  const refresh = async (signal: AbortSignal): Promise<void> =>
    void (await refresher.refresh(refreshEveryMs / 2, signal));

  const prune = async (signal: AbortSignal): Promise<void> => {
    const before = ago(parts.retentionMs);
    const limits = {
      ledgerBefore: ago(parts.ledgerRetentionMs),
      eventsBefore: before,
      incidentsBefore: before,
      deliveriesBefore: before,
      decisionsBefore: before,
    };
    await storage.prune(limits, signal);
  };

  const pruning = repeat(
    LOOK_EVERY_MS,
    async (signal) => {
      scores.sweep();
      await storage.runWhenDue("pruning", PRUNE_EVERY_MS, () => prune(signal), signal);
    },
    onError,
  );
  const tasks = [
    repeat(refreshEveryMs, refresh, onError),
    pruning,
    repeat(ERASE_EVERY_MS, () => storage.erasePending(), onError),
  ];
  return {
    // Soon after the start, which does not wait for it.
    start: () => Promise.resolve(pruning.now()),
    async close() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

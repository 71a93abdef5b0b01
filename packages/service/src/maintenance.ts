import type { FeedRefresher } from "./lookups/feed-refresher.js";
import { type Instant, instantOf, systemClock } from "./model/instant.js";
import type { Part } from "./part-list.js";
import type { RecentScores } from "./rehearsal/recent-scores.js";
import { repeat } from "./repeat.js";
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
const ERASE_EVERY_MS = 30_000;

/** Creates the part that runs recurring tasks: feed updates, retention and pending erasures. */
export function createMaintenance(parts: MaintenanceParts): Part {
  const { storage, scores, refresher, refreshEveryMs, onError } = parts;

  const refresh = async (signal: AbortSignal): Promise<void> =>
    void (await refresher.refresh(refreshEveryMs / 2, signal));

  const prune = async (): Promise<void> => {
    const before = ago(parts.retentionMs);
    await storage.prune({
      ledgerBefore: ago(parts.ledgerRetentionMs),
      eventsBefore: before,
      incidentsBefore: before,
      deliveriesBefore: before,
      decisionsBefore: before,
    });
    scores.sweep();
  };

  const tasks = [
    repeat(refreshEveryMs, refresh, onError),
    repeat(PRUNE_EVERY_MS, (signal) => storage.withTaskLock("pruning", prune, signal), onError),
    repeat(ERASE_EVERY_MS, () => storage.erasePending(), onError),
  ];
  return {
    async close() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

function ago(ms: number): Instant {
  return systemClock() - instantOf(ms);
}

import { RiskGateError } from "@riskgate/core";
import type { Engine, FeedOutcome, FeedUpdater } from "@riskgate/engine";
import type { Storage } from "../storage/storage.js";

/** Keeps a service's published lists up to date. */
export interface FeedRefresher {
  /**
   * Downloads every list that no process has requested within `maxAgeMs`, and makes all processes on
   * the database load the new lists.
   *
   * @returns undefined if the signal aborted the wait for another process.
   * @throws {RiskGateError} CONFIG_INVALID if the service stores no copies of published lists.
   */
  refresh(maxAgeMs: number, signal: AbortSignal): Promise<readonly FeedOutcome[] | undefined>;
}

/** Creates the refresher; only one process at a time downloads lists. */
export function createFeedRefresher(
  engine: Engine,
  updater: FeedUpdater | undefined,
  storage: Pick<Storage, "withTaskLock" | "publishFeeds">,
): FeedRefresher {
  return {
    async refresh(maxAgeMs, signal) {
      if (!updater) throw withoutUpdates();
      return storage.withTaskLock(
        "feeds",
        async () => {
          const outcomes = await updater.update({ signal, maxAgeMs });
          const hasNew = outcomes.some(({ state }) => state === "updated");
          if (hasNew || maxAgeMs === 0) await engine.reload();
          if (hasNew) await storage.publishFeeds();
          return outcomes;
        },
        signal,
      );
    },
  };
}

function withoutUpdates(): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", "this service stores no copies of published lists", {
    hint: "Set `feedUpdates`, or run serve with --feeds-dir and a directory that has sources",
  });
}

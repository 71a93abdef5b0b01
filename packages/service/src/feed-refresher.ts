import { RiskGateError } from "@riskgate/core";
import type { Engine, FeedOutcome, FeedUpdater } from "@riskgate/engine";
import type { Storage } from "./storage/storage.js";

/** Keeps the published lists of a service up to date. */
export interface FeedRefresher {
  /**
   * Ask for every list that nobody has asked for within `maxAgeMs`, and take up what is new, here and
   * in all processes on the database.
   *
   * @returns undefined when the signal ended the waiting for another process.
   * @throws {RiskGateError} CONFIG_INVALID where the service keeps no copies of published lists.
   */
  refresh(maxAgeMs: number, signal: AbortSignal): Promise<readonly FeedOutcome[] | undefined>;
}

/** Creates the refresher; one process at a time asks. */
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
  return new RiskGateError("CONFIG_INVALID", "this service keeps no copies of published lists", {
    hint: "Set `feedUpdates`, or serve with --feeds-dir on a directory with sources",
  });
}

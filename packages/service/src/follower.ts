import { isRiskGateError } from "@riskgate/core";
import type { Changes } from "./changes.js";
import type { ServiceLookups } from "./lookups/open-lookups.js";
import type { Part } from "./base/part-list.js";
import type { RecentScores } from "./rehearsal/recent-scores.js";
import { repeat } from "./base/repeat.js";
import type { Revisions, Storage } from "./storage/storage.js";

export interface FollowerParts {
  readonly changes: Changes;
  readonly storage: Pick<Storage, "outdate" | "revisions">;
  readonly lookups: Pick<ServiceLookups, "engine" | "rules" | "reads">;
  readonly scores: Pick<RecentScores, "forget">;
  readonly api: { refreshKeys(): Promise<void> };
  /** Maximum time between two checks for changes without a notification; 0 for no checks. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Creates the part that loads what other processes changed: settings, erasures and feeds. */
export function createFollower(parts: FollowerParts): Part {
  const { storage, lookups, scores, api } = parts;
  let known: Revisions | undefined;

  const follow = async (): Promise<void> => {
    const now = await storage.revisions();
    if (known !== undefined) await load(known, now);
    known = now;
  };
  const load = async (before: Revisions, now: Revisions): Promise<void> => {
    if (now.erasures !== before.erasures) {
      scores.forget();
      lookups.reads.forget();
    }
    if (now.settings !== before.settings) {
      storage.outdate();
      await api.refreshKeys();
      await lookups.rules.follow();
    }
    if (now.feeds !== before.feeds) await lookups.engine.reload();
  };

  const following = repeat(parts.everyMs, follow, (error) => {
    // Every request already reports that the database does not respond; do not repeat it every second.
    if (!isRiskGateError(error) || error.code !== "STORE_FAILED") parts.onError(error);
  });
  parts.changes.subscribe(() => following.now());
  return {
    start: follow,
    close: () => following.stop(),
  };
}

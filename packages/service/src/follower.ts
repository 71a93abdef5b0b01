import { isRiskGateError } from "@riskgate/core";
import type { Changes } from "./changes.js";
import type { Dispatcher } from "./dispatch/dispatcher.js";
import type { Intake } from "./intake/intake.js";
import type { ServiceLookups } from "./lookups/open-lookups.js";
import type { Part } from "./part-list.js";
import type { RecentScores } from "./rehearsal/recent-scores.js";
import { repeat } from "./repeat.js";
import type { Revisions, Storage } from "./storage/storage.js";

export interface FollowerParts {
  readonly changes: Changes;
  readonly storage: Pick<Storage, "outdate">;
  readonly intake: Pick<Intake, "follow">;
  readonly lookups: Pick<ServiceLookups, "engine" | "rules">;
  readonly scores: Pick<RecentScores, "forget">;
  readonly api: { refreshKeys(): Promise<void> };
  readonly dispatcher: Pick<Dispatcher, "wake">;
  /** Maximum time between two checks for changes without a notification; 0 for no checks. */
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

export function createFollower(parts: FollowerParts): Part {
  const { storage, intake, lookups, scores, api, dispatcher } = parts;
  let known: Revisions | undefined;

  const follow = async (): Promise<void> => {
    const before = known;
    const now = await intake.follow();
    if (before !== undefined) await load(before, now);
    known = now;
    // Another process may have queued payloads, or stopped before it sent some.
    dispatcher.wake();
  };
  const load = async (before: Revisions, now: Revisions): Promise<void> => {
    if (now.erasures !== before.erasures) scores.forget();
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
    async start() {
      known = await intake.follow();
    },
    close: () => following.stop(),
  };
}

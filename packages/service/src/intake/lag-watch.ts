import { RiskGateError } from "@riskgate/core";
import { repeat } from "../base/repeat.js";
import type { Part } from "../base/part-list.js";
import type { DetectionLag, Log } from "../storage/log-store.js";

/** Watches how far detection is behind, whichever process does it. */
export interface LagWatch extends Part {
  /** Looks again; runs automatically each second. */
  check(): Promise<void>;
  /**
   * Refuses reports of an application once its lag exceeds the limit, until it has fallen to half of that.
   *
   * @throws {RiskGateError} STORE_FAILED
   */
  refuse(applicationId: string): void;
  /** Longest lag of the applications whose reports are refused; 0 while none are. */
  longestMs(): number;
}

export interface LagWatchParts {
  readonly log: Pick<Log, "lag">;
  readonly maxLagMs: number;
  /** Monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly onError: (error: unknown) => void;
}

/** The last entry of a log at a time. */
interface Sample {
  readonly seq: number;
  readonly atMs: number;
}

const CHECK_MS = 1_000;

/** Beyond this number, the times between the first and the last samples are coarser. */
const MAX_SAMPLES = 256;

/**
 * Creates the watch. It measures by its own clock for how long the oldest entry has been there: the
 * clock of the process that received it may differ.
 */
export function createLagWatch({ log, maxLagMs, nowMs, onError }: LagWatchParts): LagWatch {
  let samples: ReadonlyMap<string, readonly Sample[]> = new Map();
  let behind: ReadonlyMap<string, number> = new Map();

  const check = async (): Promise<void> => {
    const lags = await log.lag();
    const now = nowMs();
    samples = new Map(lags.map((one) => [one.applicationId, sampled(one, now)]));
    const ages = [...samples].map(([id, [first]]) => [id, now - first!.atMs] as const);
    const limitOf = (id: string): number => (behind.has(id) ? maxLagMs / 2 : maxLagMs);
    behind = new Map(ages.filter(([id, ageMs]) => ageMs > limitOf(id)));
  };
  /** The first of the samples is the first that includes the oldest entry. */
  const sampled = (
    { applicationId, oldestSeq, lastSeq }: DetectionLag,
    now: number,
  ): readonly Sample[] => {
    const known = (samples.get(applicationId) ?? []).filter(({ seq }) => seq >= oldestSeq);
    if (known.at(-1)?.seq === lastSeq) return known;
    const kept = known.length < MAX_SAMPLES ? known : [known[0]!, ...known.slice(2)];
    return [...kept, { seq: lastSeq, atMs: now }];
  };

  const checking = repeat(CHECK_MS, check, onError);
  return {
    check,
    refuse(applicationId) {
      if (!behind.has(applicationId)) return;
      throw new RiskGateError("STORE_FAILED", "detection is behind with this application", {
        hint: "Report it again later: what was accepted before is evaluated first",
      });
    },
    longestMs: () => Math.max(0, ...behind.values()),
    close: () => checking.stop(),
  };
}

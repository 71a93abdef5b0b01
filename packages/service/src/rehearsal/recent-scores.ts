import {
  LOOKUP_TYPES,
  type LookupObserver,
  type LookupType,
  type ReceivedScore,
} from "../lookups/answered-lookup.js";

export interface ScoredLookup extends ReceivedScore {
  readonly type: LookupType;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** Number of responses by score: index 41 counts scores above 40 and at most 41. */
type ScoreCounts = readonly number[];

export interface ScoreView {
  /** Unix time of the oldest counted response, in milliseconds. */
  readonly sinceMs: number;
  readonly counts: Readonly<Record<LookupType, ScoreCounts>>;
  /** The newest lookups with a score above 0, newest first; thresholds cannot affect a score of 0. */
  readonly latest: readonly ScoredLookup[];
}

/** Scores returned during the last day, in memory: they start empty with the process. */
export interface RecentScores {
  readonly observe: LookupObserver;
  view(applicationId?: string): ScoreView;
  /** Deletes the lookups, but not the counts, which identify nobody. */
  forget(): void;
  sweep(): void;
}

const SCORES = 101;
const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Newest lookups stored for each application. */
const MAX_LATEST = 200;
/** Beyond this number, the application whose last lookup is oldest is dropped. */
const MAX_APPLICATIONS = 1_000;

type HourCounts = Readonly<Record<LookupType, Uint32Array>>;

interface ApplicationScores {
  readonly hours: Map<number, HourCounts>;
  /** The newest lookups, oldest first. */
  latest: ScoredLookup[];
}

export function createRecentScores(epochMs: () => number = Date.now): RecentScores {
  const startedMs = epochMs();
  const byApplication = new Map<string, ApplicationScores>();
  const oldestHour = (): number => Math.floor(epochMs() / HOUR_MS) - HOURS + 1;
  const sinceMs = (): number => Math.max(startedMs, oldestHour() * HOUR_MS);

  const scoresOf = (applicationId: string): ApplicationScores => {
    const scores = byApplication.get(applicationId) ?? { hours: new Map(), latest: [] };
    byApplication.delete(applicationId);
    const quietest = byApplication.size >= MAX_APPLICATIONS && byApplication.keys().next().value;
    if (quietest) byApplication.delete(quietest);
    byApplication.set(applicationId, scores);
    return scores;
  };

  return {
    observe({ type, received }) {
      if (received === undefined) return;
      const { applicationId, score } = received;
      const atMs = epochMs();
      const { hours, latest } = scoresOf(applicationId);
      const hour = Math.floor(atMs / HOUR_MS);
      let counts = hours.get(hour);
      if (!counts) {
        counts = { ip: new Uint32Array(SCORES), email: new Uint32Array(SCORES) };
        hours.set(hour, counts);
      }
      // Rounded up, so that a whole-number threshold separates the counts exactly as it would the scores.
      counts[type][Math.ceil(score)]!++;
      if (score <= 0) return;
      latest.push({ ...received, type, atMs });
      if (latest.length > MAX_LATEST) latest.shift();
    },
    view(applicationId) {
      const since = sinceMs();
      const scores =
        applicationId === undefined
          ? [...byApplication.values()]
          : [byApplication.get(applicationId)].flatMap((one) => one ?? []);
      const counts = { ip: emptyCounts(), email: emptyCounts() };
      for (const { hours } of scores) {
        for (const [hour, each] of hours) {
          if (hour < oldestHour()) continue;
          for (const type of LOOKUP_TYPES) {
            each[type].forEach((count, score) => (counts[type][score]! += count));
          }
        }
      }
      const latest = scores
        .flatMap((one) => one.latest)
        .filter(({ atMs }) => atMs >= since)
        .toSorted((one, other) => other.atMs - one.atMs)
        .slice(0, MAX_LATEST);
      return { sinceMs: since, counts, latest };
    },
    forget() {
      for (const scores of byApplication.values()) scores.latest = [];
    },
    sweep() {
      for (const [id, scores] of byApplication) {
        scores.latest = scores.latest.filter(({ atMs }) => atMs >= sinceMs());
        for (const hour of scores.hours.keys()) if (hour < oldestHour()) scores.hours.delete(hour);
        if (scores.hours.size === 0) byApplication.delete(id);
      }
    },
  };
}

function emptyCounts(): number[] {
  return Array.from({ length: SCORES }, () => 0);
}

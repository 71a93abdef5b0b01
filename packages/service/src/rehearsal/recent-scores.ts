/** What lookups are about. */
const TYPES = ["ip", "email"] as const;
type LookupType = (typeof TYPES)[number];

/** A lookup that was answered with a score. */
export interface ScoredLookup {
  readonly applicationId: string;
  readonly type: LookupType;
  /** As it was asked about. */
  readonly identifier: string;
  readonly score: number;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** How many answers had each score: at place 41 those above 40 and at most 41. */
type ScoreCounts = readonly number[];

/** Scores of one application, or of all. */
export interface ScoreView {
  /** No older answers count, in Unix time in milliseconds. */
  readonly sinceMs: number;
  readonly counts: Readonly<Record<LookupType, ScoreCounts>>;
  /** The newest lookups with a score above 0, newest first: no threshold changes the others. */
  readonly latest: readonly ScoredLookup[];
}

/** Scores of the last day's answers, in memory: it starts anew with the process. */
export interface RecentScores {
  add(lookup: Omit<ScoredLookup, "atMs">): void;
  view(applicationId?: string): ScoreView;
  /** Lets go of the lookups themselves; the counts, which name nobody, stay. */
  forget(): void;
  /** Drops what is older than a day. */
  sweep(): void;
}

/** Places for the scores 0 to 100. */
const PLACES = 101;
const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Lookups that are kept of each application. */
const MAX_LATEST = 200;
/** With more applications, the one that was quiet for longest is dropped. */
const MAX_APPLICATIONS = 1_000;

type HourCounts = Readonly<Record<LookupType, Uint32Array>>;

interface Kept {
  /** By the number of the hour. */
  readonly hours: Map<number, HourCounts>;
  /** Oldest first. */
  latest: ScoredLookup[];
}

/**
 * Makes an empty record.
 *
 * @param epochMs Time of day in milliseconds.
 */
export function createRecentScores(epochMs: () => number = Date.now): RecentScores {
  const startedMs = epochMs();
  const byApplication = new Map<string, Kept>();
  const oldestHour = (): number => Math.floor(epochMs() / HOUR_MS) - HOURS + 1;
  const sinceMs = (): number => Math.max(startedMs, oldestHour() * HOUR_MS);

  const keptOf = (applicationId: string): Kept => {
    const kept = byApplication.get(applicationId) ?? { hours: new Map(), latest: [] };
    byApplication.delete(applicationId);
    const quietest = byApplication.size >= MAX_APPLICATIONS && byApplication.keys().next().value;
    if (quietest) byApplication.delete(quietest);
    byApplication.set(applicationId, kept);
    return kept;
  };

  return {
    add({ applicationId, type, identifier, score }) {
      const atMs = epochMs();
      const { hours, latest } = keptOf(applicationId);
      const hour = Math.floor(atMs / HOUR_MS);
      let counts = hours.get(hour);
      if (!counts) {
        counts = { ip: new Uint32Array(PLACES), email: new Uint32Array(PLACES) };
        hours.set(hour, counts);
      }
      // Rounded up: then a whole threshold separates the same answers as it does by the score itself.
      counts[type][Math.ceil(score)]!++;
      if (score <= 0) return;
      latest.push({ applicationId, type, identifier, score, atMs });
      if (latest.length > MAX_LATEST) latest.shift();
    },
    view(applicationId) {
      const since = sinceMs();
      const kept =
        applicationId === undefined
          ? [...byApplication.values()]
          : [byApplication.get(applicationId)].flatMap((one) => one ?? []);
      const counts = { ip: emptyCounts(), email: emptyCounts() };
      for (const { hours } of kept) {
        for (const [hour, each] of hours) {
          if (hour < oldestHour()) continue;
          for (const type of TYPES) {
            each[type].forEach((count, place) => (counts[type][place]! += count));
          }
        }
      }
      const latest = kept
        .flatMap((one) => one.latest)
        .filter(({ atMs }) => atMs >= since)
        .toSorted((one, other) => other.atMs - one.atMs)
        .slice(0, MAX_LATEST);
      return { sinceMs: since, counts, latest };
    },
    forget() {
      for (const kept of byApplication.values()) kept.latest = [];
    },
    sweep() {
      for (const [id, kept] of byApplication) {
        kept.latest = kept.latest.filter(({ atMs }) => atMs >= sinceMs());
        for (const hour of kept.hours.keys()) if (hour < oldestHour()) kept.hours.delete(hour);
        if (kept.hours.size === 0) byApplication.delete(id);
      }
    },
  };
}

function emptyCounts(): number[] {
  return Array.from({ length: PLACES }, () => 0);
}

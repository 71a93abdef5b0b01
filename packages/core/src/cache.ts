import { LRUCache } from "lru-cache";
import type { Assessment } from "./assessment.js";
import type { Scored } from "./decision.js";
import { markStale } from "./stale.js";

/** Settings of an {@link AssessmentCache}. */
export interface CacheSettings {
  readonly maxEntries: number;
  readonly ttlMs: number;
  readonly riskyTtlMs: number;
  readonly staleMs: number;
  readonly failureTtlMs: number;
}

/** Assessments in the memory of this process. Time is an argument, on a monotonic clock. */
export interface AssessmentCache<T extends Assessment> {
  /** What may be served without a call: a fresh entry, or a stale one whose call has just failed. */
  peek(key: string, nowMs: number): Scored<T> | undefined;
  /** How long this assessment is good; 0 when it is not to be kept. */
  ttlMsOf(assessment: T): number;
  /** Keep a deeply frozen assessment, for at most `ttlMs`. */
  put(key: string, assessment: T, ttlMs: number, nowMs: number): void;
  /** Note that the live call failed, and give what may be served instead. */
  fail(key: string, nowMs: number): Scored<T> | undefined;
  clear(): void;
  readonly size: number;
}

/** Made once for each entry, so that a hit allocates nothing. */
interface Entry<T> {
  readonly fresh: Scored<T>;
  readonly freshUntilMs: number;
  stale: Scored<T> | undefined;
  failedUntilMs: number;
}

/** Scores above this can be cleared any time, and so are asked again sooner. */
const RISKY_ABOVE = 40;

/** Make an empty cache. */
export function createCache<T extends Assessment>(settings: CacheSettings): AssessmentCache<T> {
  const { maxEntries, ttlMs, riskyTtlMs, staleMs, failureTtlMs } = settings;
  const entries = new LRUCache<string, Entry<T>>({ max: maxEntries });

  return {
    peek(key, nowMs) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (nowMs < entry.freshUntilMs) return entry.fresh;
      return nowMs < entry.failedUntilMs ? entry.stale : undefined;
    },

    ttlMsOf: (assessment) => (assessment.risk_score > RISKY_ABOVE ? riskyTtlMs : ttlMs),

    put(key, assessment, goodForMs, nowMs) {
      if (goodForMs <= 0) return;
      entries.set(key, {
        fresh: scored(assessment, "cache"),
        freshUntilMs: nowMs + goodForMs,
        stale: undefined,
        failedUntilMs: 0,
      });
    },

    fail(key, nowMs) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const staleUntilMs = entry.freshUntilMs + staleMs;
      if (nowMs >= staleUntilMs) {
        entries.delete(key);
        return undefined;
      }
      entry.stale ??= scored(markStale(entry.fresh.assessment), "stale");
      entry.failedUntilMs = Math.min(nowMs + failureTtlMs, staleUntilMs);
      return entry.stale;
    },

    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}

/** Evidence that an assessment was obtained. */
export function scored<T>(assessment: T, source: Scored<T>["source"]): Scored<T> {
  return Object.freeze({ state: "scored", assessment, source });
}

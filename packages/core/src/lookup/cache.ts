import { LRUCache } from "lru-cache";
import type { Assessment, Scored } from "./assessment.js";
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

/** Evidence that is its own cache entry: a hit allocates nothing and follows one reference less. */
class Entry<T extends Assessment> implements Scored<T> {
  readonly state = "scored";
  readonly source = "cache";
  readonly assessment: T;
  readonly #freshUntilMs: number;
  #standIn: StandIn<T> | undefined;

  constructor(assessment: T, freshUntilMs: number) {
    this.assessment = assessment;
    this.#freshUntilMs = freshUntilMs;
    Object.freeze(this);
  }

  at(nowMs: number): Scored<T> | undefined {
    if (nowMs < this.#freshUntilMs) return this;
    const standIn = this.#standIn;
    return standIn && nowMs < standIn.untilMs ? standIn.stale : undefined;
  }

  /** The evidence while the live call fails, or undefined when the entry is too old for that. */
  standIn(nowMs: number, { staleMs, failureTtlMs }: CacheSettings): Scored<T> | undefined {
    const staleUntilMs = this.#freshUntilMs + staleMs;
    if (nowMs >= staleUntilMs) return undefined;
    const stale = this.#standIn?.stale ?? scored(markStale(this.assessment), "stale");
    this.#standIn = { stale, untilMs: Math.min(nowMs + failureTtlMs, staleUntilMs) };
    return stale;
  }
}

/** What serves without a call after one has failed. */
interface StandIn<T> {
  readonly stale: Scored<T>;
  readonly untilMs: number;
}

/** Scores above this can be cleared any time, and so are asked again sooner. */
const RISKY_ABOVE = 40;

/** Make an empty cache. */
export function createCache<T extends Assessment>(settings: CacheSettings): AssessmentCache<T> {
  const { maxEntries, ttlMs, riskyTtlMs } = settings;
  const entries = new LRUCache<string, Entry<T>>({ max: maxEntries });

  return {
    peek: (key, nowMs) => entries.get(key)?.at(nowMs),

    ttlMsOf: (assessment) => (assessment.risk_score > RISKY_ABOVE ? riskyTtlMs : ttlMs),

    put(key, assessment, goodForMs, nowMs) {
      // Whole milliseconds stand in the entry itself; fractions would each be a number on the heap.
      const freshUntilMs = Math.ceil(nowMs + goodForMs);
      if (goodForMs > 0) entries.set(key, new Entry(assessment, freshUntilMs));
    },

    fail(key, nowMs) {
      const stale = entries.get(key)?.standIn(nowMs, settings);
      if (!stale) entries.delete(key);
      return stale;
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

import { createLru, type Lru } from "../base/platform.js";
import type { RiskGateError } from "../base/errors.js";
import type { Assessment, Scored } from "../model/assessment.js";
import { FLAG_ABOVE } from "../model/risk-thresholds.js";
import { markStale } from "./stale-answer.js";

export interface CacheSettings {
  readonly maxEntries: number;
  readonly ttlMs: number;
  readonly riskyTtlMs: number;
  readonly staleMs: number;
  readonly failureTtlMs: number;
}

/** Assessments in this process's memory. Time is an argument, on a monotonic clock. */
export interface AssessmentCache<T extends Assessment> {
  /** Returns a fresh assessment, or a stale one whose call just failed. */
  peek(key: string, nowMs: number): Scored<T> | undefined;
  /**
   * Stores a deeply frozen assessment, fresh for at most `longestMs`. Returns how long it is fresh,
   * in milliseconds; 0 if it was not stored.
   */
  put(key: string, assessment: T, longestMs: number, nowMs: number): number;
  /** Records that the live call failed, and returns a stale answer if there is one. */
  fail(key: string, nowMs: number): Scored<T> | undefined;
  /** Records the error of a call, for callers that would wait no longer than `limitMs`. */
  failed(key: string, error: RiskGateError, limitMs: number, nowMs: number): void;
  readonly failures: Pick<Lru<string, Failure>, "get">;
  clear(): void;
  readonly size: number;
}

interface Failure {
  readonly error: RiskGateError;
  /** With more time than this, another call may succeed. */
  readonly limitMs: number;
  readonly untilMs: number;
}

/** Maximum number of recorded errors; the circuit breaker stops most calls long before. */
const MAX_FAILURES = 1_000;

interface Entry<T extends Assessment> {
  readonly fresh: Scored<T>;
  readonly freshUntilMs: number;
  stale?: StaleAnswer<T>;
}

/** The stale answer used without a call for a while after a failed call. */
interface StaleAnswer<T extends Assessment> {
  readonly evidence: Scored<T>;
  readonly untilMs: number;
}

export function createCache<T extends Assessment>(settings: CacheSettings): AssessmentCache<T> {
  const { maxEntries, ttlMs, riskyTtlMs, staleMs, failureTtlMs } = settings;
  const makeEntries = () => createLru<string, Entry<T>>(maxEntries);
  let entries = makeEntries();
  const failures = createLru<string, Failure>(MAX_FAILURES);

  return {
    peek(key, nowMs) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (nowMs < entry.freshUntilMs) return entry.fresh;
      return entry.stale && nowMs < entry.stale.untilMs ? entry.stale.evidence : undefined;
    },

    put(key, assessment, longestMs, nowMs) {
      failures.delete(key);
      // A risky score may be lowered at any time, so it expires sooner.
      const usualMs = assessment.risk_score > FLAG_ABOVE ? riskyTtlMs : ttlMs;
      const freshForMs = Math.min(usualMs, longestMs);
      if (freshForMs <= 0) return 0;
      const fresh = scored(assessment, "cache");
      // V8 stores whole milliseconds in the entry; a fraction would be a separate object.
      const freshUntilMs = Math.ceil(nowMs + freshForMs);
      entries.set(key, { fresh, freshUntilMs }, { size: sizeOf(assessment) });
      return freshForMs;
    },

    fail(key, nowMs) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const staleUntilMs = entry.freshUntilMs + staleMs;
      if (nowMs >= staleUntilMs) {
        entries.delete(key);
        return undefined;
      }
      const evidence = entry.stale?.evidence ?? scored(markStale(entry.fresh.assessment), "stale");
      entry.stale = { evidence, untilMs: Math.min(nowMs + failureTtlMs, staleUntilMs) };
      return evidence;
    },

    failed(key, error, limitMs, nowMs) {
      failures.set(key, { error, limitMs, untilMs: nowMs + failureTtlMs });
    },

    failures,

    clear() {
      entries = makeEntries();
    },
    get size() {
      return entries.size;
    },
  };
}

/** Size of an ordinary entry, in bytes; few assessments need more than a tenth of it. */
const ENTRY_BYTES = 4_096;

/** Bytes per member besides its texts: the maximum for a JSON value, that of `{}`. */
const MEMBER_BYTES = 64;

/** Returns the size in ordinary entries: with added members, 64 KiB of JSON can parse to 1.3 MB. */
function sizeOf(assessment: object): number {
  let bytes = 0;
  const pending: object[] = [assessment];
  for (let value = pending.pop(); value; value = pending.pop()) {
    for (const [name, member] of Object.entries(value) as [string, unknown][]) {
      bytes += MEMBER_BYTES + name.length;
      if (typeof member === "string") bytes += member.length;
      else if (typeof member === "object" && member !== null) pending.push(member);
    }
  }
  return Math.ceil(bytes / ENTRY_BYTES) || 1;
}

export function scored<T>(assessment: T, source: Scored<T>["source"]): Scored<T> {
  return Object.freeze({ state: "scored", assessment, source });
}

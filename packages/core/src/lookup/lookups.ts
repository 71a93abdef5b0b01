import type { Assessment, Scored, LookupType } from "./assessment.js";
import { type AssessmentCache, scored } from "./cache.js";
import type { SharedCache } from "./cache-store.js";
import { Call, type Line } from "./call.js";
import { lookupChannel } from "./lookup-channel.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import { abortedBy, createFlights } from "./single-flight.js";
import type { LookupOptions } from "./lookup.js";
import { readAssessment } from "./answer.js";

/** What a desk needs to know. */
export interface DeskSettings<T extends Assessment> {
  readonly type: LookupType;
  /** Normal form of an identifier: equal for two that are the same. Throws INVALID_ARGUMENT. */
  readonly keyOf: (value: string) => string;
  /** Path of the request for an identifier and its key. */
  readonly pathOf: (value: string, key: string) => string;
  readonly line: Line;
  readonly cache: AssessmentCache<T> | undefined;
  readonly shared: SharedCache | undefined;
}

/** All lookups of one type: memory first, then a call that equal lookups share. */
export interface Desk<T extends Assessment> {
  readonly lookup: (value: string, options?: LookupOptions) => Promise<T>;
  readonly peek: (value: string) => Scored<T> | undefined;
  /** End all calls, and refuse every lookup from now on. */
  readonly close: () => void;
}

/** Open a desk. */
export function createDesk<T extends Assessment>(settings: DeskSettings<T>): Desk<T> {
  const { type, keyOf, pathOf, line, cache, shared } = settings;
  const flights = createFlights<Scored<T>, Call<Scored<T>>>();
  let closed = false;

  const peek = (value: string): Scored<T> | undefined => {
    if (!cache || typeof value !== "string") return undefined;
    const nowMs = line.recent();
    // A text found in the cache is a normal form; only the others need to be parsed.
    const found = cache.peek(value, nowMs);
    if (found) return found;
    try {
      const key = keyOf(value);
      return key === value ? undefined : cache.peek(key, nowMs);
    } catch {
      return undefined;
    }
  };

  const remember = (key: string, assessment: T, ttlMs: number): void => {
    const named = assessment[type];
    // The same text, which is kept anyway; that of the caller may be a piece of a long one.
    cache?.put(named === key ? named : key, assessment, ttlMs, line.now());
  };

  const recall = async (key: string): Promise<Scored<T> | undefined> => {
    const stored = await shared?.read(type, key);
    if (!stored || !cache || closed) return undefined;
    const assessment = stored.assessment as T;
    // Another process may keep answers for longer, and its clock may be wrong.
    const ttlMs = Math.min(stored.ttlMs, cache.ttlMsOf(assessment));
    if (ttlMs <= 0) return undefined;
    remember(key, assessment, ttlMs);
    return scored(assessment, "cache");
  };

  const depart = (value: string, key: string): Call<Scored<T>> =>
    new Call(line, {
      path: pathOf(value, key),
      recall: shared && (() => recall(key)),
      read(answer) {
        const assessment = readAssessment(answer, type, key, line.redact) as T;
        const ttlMs = cache?.ttlMsOf(assessment) ?? 0;
        remember(key, assessment, ttlMs);
        shared?.write(type, key, assessment, ttlMs);
        return scored(assessment, "live");
      },
      instead: (error) => (isAboutUs(error) ? undefined : cache?.fail(key, line.now())),
    });

  /** What is remembered comes at once: a promise more would cost more than finding it. */
  const find = (
    value: string,
    { signal }: LookupOptions,
    trace?: { call?: Call<Scored<T>> },
  ): Scored<T> | Promise<Scored<T>> => {
    if (closed) throw closedError();
    if (signal?.aborted) throw abortedBy(signal);
    const found = peek(value);
    if (found) return found;
    const key = keyOf(value);
    const { flight, result } = flights.join(key, () => depart(value, key), signal);
    if (trace) trace.call = flight;
    return result;
  };

  const observe = async (value: string, options: LookupOptions): Promise<T> => {
    const startedMs = line.now();
    const trace: { call?: Call<Scored<T>> } = {};
    const publish = (result: Scored<T>["source"] | RiskGateError["code"]): void =>
      lookupChannel.publish({
        type,
        result,
        durationMs: line.now() - startedMs,
        attempts: trace.call?.attempts ?? 0,
      });
    try {
      const found = await find(value, options, trace);
      publish(found.source);
      return found.assessment;
    } catch (error) {
      if (isRiskGateError(error)) publish(error.code);
      throw error;
    }
  };

  return {
    async lookup(value, options = {}) {
      if (lookupChannel.hasSubscribers) return observe(value, options);
      const found = find(value, options);
      return found instanceof Promise ? (await found).assessment : found.assessment;
    },
    peek,
    close() {
      closed = true;
      cache?.clear();
      flights.cancelAll(closedError());
    },
  };
}

function closedError(): RiskGateError {
  return new RiskGateError("ABORTED", "The client is closed", {
    hint: "Create a new client, or close it later",
  });
}

/** A refused key or identifier is an answer, and an old assessment must not hide it. */
function isAboutUs({ code }: RiskGateError): boolean {
  return code === "UNAUTHORIZED" || code === "BAD_REQUEST" || code === "ABORTED";
}

import { readAssessment } from "./answer.js";
import type { Assessment, LookupType, Scored } from "../model/assessment.js";
import { type AssessmentCache, scored } from "./cache.js";
import type { SharedCache } from "./cache-store.js";
import { Call, type CallSettings, type ClientContext } from "./call.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { LookupOptions } from "../model/lookup.js";
import { lookupChannel, type LookupMessage } from "./lookup-channel.js";
import { abortedBy, createSingleFlight } from "./single-flight.js";

/** Settings of {@link createLookups}. */
export interface LookupsSettings<T extends Assessment> {
  readonly type: LookupType;
  /** Normal form of an identifier: equal for two that are the same. Throws INVALID_ARGUMENT. */
  readonly normalize: (value: string) => string;
  /**
   * The same without a check, for {@link Lookups.peek}: only valid identifiers are in memory, so that
   * no other is found there. Undefined for what has no normal form.
   */
  readonly fold: (value: string) => string | undefined;
  /** Path of the request for an identifier and its normal form. */
  readonly pathOf: (value: string, key: string) => string;
  readonly client: ClientContext;
  readonly cache: AssessmentCache<T> | undefined;
  readonly store: SharedCache | undefined;
}

/** The lookups of one type of identifier: from memory, or by a call that equal lookups share. */
export interface Lookups<T extends Assessment> {
  readonly lookup: (value: string, options?: LookupOptions) => Promise<T>;
  readonly peek: (value: string) => Scored<T> | undefined;
  /** End all calls, and refuse every lookup from now on. */
  readonly close: () => void;
}

/** Make the lookups of one type. */
export function createLookups<T extends Assessment>(settings: LookupsSettings<T>): Lookups<T> {
  const { type, normalize, fold, pathOf, client, cache, store } = settings;
  const { now } = client;
  const singleFlight = createSingleFlight<Scored<T>, Call<Scored<T>>>();
  let closed = false;

  const remember = (key: string, assessment: T, ttlMs: number): void => {
    if (closed) return;
    const named = assessment[type];
    // The same text, which is kept anyway; that of the caller may be a piece of a long one.
    cache?.put(named === key ? named : key, assessment, ttlMs, now());
  };

  const recall = async (key: string): Promise<Scored<T> | undefined> => {
    const stored = await store?.read(type, key);
    if (!stored || !cache || closed) return undefined;
    const assessment = stored.assessment as T;
    // Another process may keep answers for longer, and its clock may be wrong.
    const ttlMs = Math.min(stored.ttlMs, cache.ttlMsOf(assessment));
    if (ttlMs <= 0) return undefined;
    remember(key, assessment, ttlMs);
    return scored(assessment, "cache");
  };

  const startCall = (value: string, key: string, timeoutMs?: number): Call<Scored<T>> => {
    const settings: CallSettings<Scored<T>> = {
      path: pathOf(value, key),
      recall: store && (() => recall(key)),
      read(answer) {
        const assessment = readAssessment(answer, type, key, client.redact) as T;
        const ttlMs = cache?.ttlMsOf(assessment) ?? 0;
        remember(key, assessment, ttlMs);
        store?.write(type, key, assessment, ttlMs);
        return scored(assessment, "live");
      },
      staleAnswer: (error) => (isAboutCaller(error) ? undefined : cache?.fail(key, now())),
    };
    return new Call(client, settings, timeoutMs);
  };

  const lookup = async (value: string, options: LookupOptions = {}): Promise<T> => {
    const startedMs = now();
    let call: Call<Scored<T>> | undefined;
    const publish = (result: LookupMessage["result"]): void => {
      if (!lookupChannel.hasSubscribers) return;
      const attempts = call?.attempts ?? 0;
      lookupChannel.publish({ type, result, durationMs: now() - startedMs, attempts });
    };
    try {
      if (closed) throw closedError();
      const { signal } = options;
      if (signal?.aborted) throw abortedBy(signal);
      const key = normalize(value);
      let found = cache?.peek(key, startedMs);
      if (!found) {
        const timeoutMs = shorter(options.timeoutMs, client.timeoutMs);
        const start = (): Call<Scored<T>> => startCall(value, key, timeoutMs);
        const shared = singleFlight.shareCall(key, start, signal, timeoutMs);
        call = shared.call;
        found = await shared.result;
      }
      publish(found.source);
      return found.assessment;
    } catch (error) {
      if (isRiskGateError(error)) publish(error.code);
      throw error;
    }
  };

  const peek = (value: string): Scored<T> | undefined => {
    if (!cache || typeof value !== "string") return undefined;
    const nowMs = now();
    // A text that is found is a normal form already. Only a lookup reports what is wrong with others.
    const found = cache.peek(value, nowMs);
    if (found) return found;
    const key = fold(value);
    return key === undefined || key === value ? undefined : cache.peek(key, nowMs);
  };

  return {
    lookup,
    peek,
    close() {
      closed = true;
      cache?.clear();
      singleFlight.cancelAll(closedError());
    },
  };
}

/** The time of a caller where it is shorter than that of every call; anything else is no limit. */
function shorter(timeoutMs: number | undefined, longestMs: number): number | undefined {
  return typeof timeoutMs === "number" && timeoutMs < longestMs ? timeoutMs : undefined;
}

function closedError(): RiskGateError {
  return new RiskGateError("ABORTED", "The client is closed", {
    hint: "Create a new client, or close it later",
  });
}

/** A refused key or identifier is an answer, and an old assessment must not hide it. */
function isAboutCaller({ code }: RiskGateError): boolean {
  return code === "UNAUTHORIZED" || code === "BAD_REQUEST" || code === "ABORTED";
}

import { readAssessment } from "./answer.js";
import type { Assessment, LookupType, Scored } from "../model/assessment.js";
import { type AssessmentCache, scored } from "./cache.js";
import type { SharedCache } from "./cache-store.js";
import { Call, type CallTarget, type ClientContext } from "./call.js";
import type { RiskGateError } from "../base/errors.js";
import type { Answer } from "./transport.js";

export interface CallsSettings<T extends Assessment> {
  readonly type: LookupType;
  readonly path: string;
  readonly client: ClientContext;
  readonly cache: AssessmentCache<T> | undefined;
  readonly store: SharedCache | undefined;
}

/** Pending calls for one type of identifier, by normal form, and their cache. */
export class Calls<T extends Assessment> implements CallTarget<Scored<T>> {
  readonly calls: Map<string, Call<Scored<T>>> = new Map();
  readonly recall: CallTarget<Scored<T>>["recall"];
  readonly #settings: CallsSettings<T>;
  #isClosed = false;

  constructor(settings: CallsSettings<T>) {
    const { store } = settings;
    this.#settings = settings;
    this.recall = store && ((key) => this.#recall(key, store));
  }

  /**
   * Returns the pending call for this key, or creates one. An email is sent as given.
   * @throws {RiskGateError} The error of a call that just failed, unless more time may help.
   */
  callFor(key: string, value: string, timeoutMs: number | undefined): Call<Scored<T>> {
    const { type, path, client, cache } = this.#settings;
    let call = this.calls.get(key);
    if (!call) {
      const last = cache?.failures.get(key);
      const isEnough = last && (timeoutMs ?? Infinity) <= last.limitMs;
      if (isEnough && client.now() < last.untilMs) throw last.error;
      const identifier = encodeURIComponent(type === "email" ? value : key);
      call = new Call(client, this, key, path + identifier);
      this.calls.set(key, call);
    }
    return call;
  }

  read(key: string, answer: Answer): Scored<T> {
    const { type, client, store } = this.#settings;
    const assessment = readAssessment(answer, type, key, client.redact) as T;
    const ttlMs = this.#remember(key, assessment, Infinity);
    store?.write(type, key, assessment, ttlMs);
    return scored(assessment, "live");
  }

  staleAnswer(key: string, error: RiskGateError): Scored<T> | undefined {
    const { client, cache } = this.#settings;
    return isAboutCaller(error) ? undefined : cache?.fail(key, client.now());
  }

  failed(key: string, error: RiskGateError, limitMs: number): void {
    const { client, cache } = this.#settings;
    if (error.code !== "ABORTED") cache?.failed(key, error, limitMs, client.now());
  }

  /** Ends all calls with this error, and stores no later result. */
  close(reason: RiskGateError): void {
    this.#isClosed = true;
    this.#settings.cache?.clear();
    for (const call of this.calls.values()) call.cancel(reason);
  }

  async #recall(key: string, store: SharedCache): Promise<Scored<T> | undefined> {
    const stored = await store.read(this.#settings.type, key);
    if (!stored) return undefined;
    const assessment = stored.assessment as T;
    // Another process may store results for longer, and its clock may be wrong.
    const ttlMs = this.#remember(key, assessment, stored.ttlMs);
    return ttlMs > 0 ? scored(assessment, "cache") : undefined;
  }

  /** Returns how long the assessment stays fresh; 0 if it is not stored. */
  #remember(key: string, assessment: T, longestMs: number): number {
    const { type, client, cache } = this.#settings;
    if (!cache || this.#isClosed) return 0;
    const named = assessment[type];
    // Reuses the assessment's own string; the caller's may be a slice that retains a long one.
    return cache.put(named === key ? named : key, assessment, longestMs, client.now());
  }
}

/** A rejected key or identifier is a result, and an old assessment must not hide it. */
function isAboutCaller({ code }: RiskGateError): boolean {
  return code === "UNAUTHORIZED" || code === "BAD_REQUEST" || code === "ABORTED";
}

import type { Assessment, Scored } from "../model/assessment.js";
import { abortedBy, type Call } from "./call.js";
import { Calls, type CallsSettings } from "./calls.js";
import { isRiskGateError, RiskGateError } from "../base/errors.js";
import type { LookupOptions } from "../model/lookup.js";
import { lookupChannel, type LookupMessage } from "./lookup-channel.js";

export interface LookupsSettings<T extends Assessment> extends CallsSettings<T> {
  /** Returns an identifier's normal form, the same for all spellings. Throws INVALID_ARGUMENT. */
  readonly normalize: (value: string) => string;
  /**
   * Like `normalize` without validation, for {@link Lookups.peek}: memory contains valid
   * identifiers only. Undefined for text without a normal form.
   */
  readonly fold: (value: string) => string | undefined;
}

/** Lookups of one type of identifier: from memory, or by a call that equal lookups share. */
export interface Lookups<T extends Assessment> {
  readonly lookup: (value: string, options?: LookupOptions) => Promise<T>;
  readonly peek: (value: string) => Scored<T> | undefined;
  readonly close: () => void;
}

export function createLookups<T extends Assessment>(settings: LookupsSettings<T>): Lookups<T> {
  const { type, normalize, fold, cache, client } = settings;
  const { now } = client;
  const calls = new Calls(settings);
  let closed = false;

  const lookup = async (value: string, options: LookupOptions = {}): Promise<T> => {
    const startedMs = now();
    let call: Call<Scored<T>> | undefined;
    const publish = (result: LookupMessage["result"]): void => {
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
        call = calls.callFor(key, value, options.timeoutMs);
        found = await call.wait(options);
      }
      if (lookupChannel.hasSubscribers) publish(found.source);
      return found.assessment;
    } catch (error) {
      if (lookupChannel.hasSubscribers && isRiskGateError(error)) publish(error.code);
      throw error;
    }
  };

  const peek = (value: string): Scored<T> | undefined => {
    if (!cache || typeof value !== "string") return undefined;
    const nowMs = now();
    // Text that is found is already a normal form. Only lookups report invalid values.
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
      calls.close(closedError());
    },
  };
}

function closedError(): RiskGateError {
  return new RiskGateError("ABORTED", "the client is closed", {
    hint: "Create a new client, or close it later",
  });
}

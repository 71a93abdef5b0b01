import { RiskGateError } from "../base/errors.js";
import type { OptionReader } from "../base/options.js";
import { isThenable } from "../model/awaitable.js";
import type { RiskLookup } from "../model/lookup.js";

export interface LookupOption {
  /**
   * Answers the lookups: a client, an engine, any other lookup, or a promise of one. Until the promise
   * has resolved, each lookup waits for it within `budgetMs`. If it rejects, all lookups fail.
   */
  readonly lookup: RiskLookup | PromiseLike<RiskLookup>;
}

const EXPECTED = "a client, an engine or its promise";

/** @throws {RiskGateError} CONFIG_INVALID for a missing or invalid option. */
export function readLookup(options: OptionReader): LookupOption["lookup"] {
  const value = options.value("lookup");
  if (isThenable(value)) return value as PromiseLike<RiskLookup>;
  const lookup = options.object<RiskLookup>("lookup", ["lookupIp", "lookupEmail"], EXPECTED);
  if (lookup) return lookup;
  const advice = options.value("lookupIp") ? ": use { lookup }" : "";
  return options.refuse("lookup", EXPECTED + advice, undefined);
}

/**
 * Returns the lookup: until a promise has resolved, one that waits for it.
 *
 * @param onReady Receives the lookup once the promise has resolved.
 */
export function openLookup(
  given: LookupOption["lookup"],
  onReady: (lookup: RiskLookup) => void,
): RiskLookup {
  if (!isThenable(given)) return given;
  const ready = Promise.resolve(given).catch((cause: unknown) => {
    // Another code might count as a fault of the identifier.
    throw new RiskGateError("LOOKUP_FAILED", "the promise in `lookup` was rejected", { cause });
  });
  // Each lookup reports the failure; the rejection must not end the process.
  ready.then(onReady, () => {});
  return {
    lookupIp: async (ip, options) => (await ready).lookupIp(ip, options),
    lookupEmail: async (email, options) => (await ready).lookupEmail(email, options),
  };
}

import type { ServerResponse } from "node:http";
import type { KeyHolder } from "../storage/application-store.js";
import type { Allowance, Storage } from "../storage/storage.js";

export interface RateLimit {
  readonly burst: number;
  /** Average rate: a window lasts `burst / perSecond` seconds. */
  readonly perSecond: number;
}

/**
 * Counts a request against the quota of its key and, if it is a lookup, the limit of its sandbox. Sets
 * the headers of draft-ietf-httpapi-ratelimit-headers-10, and resolves to the seconds to wait, or 0.
 */
export type RequestLimits = (
  holder: Pick<KeyHolder, "id" | "kind" | "keyQuota">,
  response: Pick<ServerResponse, "setHeader">,
  isLookup: boolean,
) => Promise<number>;

export function createRequestLimits(
  { burst, perSecond }: RateLimit,
  storage: Pick<Storage, "countRequest">,
): RequestLimits {
  const sandbox: Allowance = { points: Math.floor(burst), duration: burst / perSecond };
  const consume = async (name: string, key: string, allowance: Allowance) => {
    const { points, duration } = allowance;
    const { isRefused, remaining, resetMs } = await storage.countRequest(key, allowance);
    const seconds = Math.max(Math.ceil(resetMs / 1000), 1);
    return {
      policy: `"${name}";q=${points};w=${Math.ceil(duration)}`,
      state: `"${name}";r=${remaining};t=${seconds}`,
      waitSeconds: isRefused ? seconds : 0,
    };
  };
  return async ({ id, kind, keyQuota: quota }, response, isLookup) => {
    const key = quota && { points: quota.requests, duration: quota.seconds };
    const counted = key ? [await consume("key", quota.keyId, key)] : [];
    const isRefused = counted.some(({ waitSeconds }) => waitSeconds > 0);
    if (isLookup && kind === "sandbox" && !isRefused) {
      counted.push(await consume("sandbox", id, sandbox));
    }
    response.setHeader("ratelimit-policy", counted.map(({ policy }) => policy).join(", "));
    response.setHeader("ratelimit", counted.map(({ state }) => state).join(", "));
    return counted.at(-1)?.waitSeconds ?? 0;
  };
}

import type { ServerResponse } from "node:http";
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
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
  storage: Pick<Storage, "rateLimiter">,
): RequestLimits {
  const sandbox: Allowance = { points: Math.floor(burst), duration: burst / perSecond };
  const limiters = new Map<string, RateLimiterAbstract>();
  const consume = async (name: string, key: string, allowance: Allowance) => {
    const { points, duration } = allowance;
    const limiter = limiters.get(`${points}/${duration}`) ?? storage.rateLimiter(allowance);
    limiters.set(`${points}/${duration}`, limiter);
    let isRefused = false;
    const counted = await limiter.consume(key).catch((refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      isRefused = true;
      return refused;
    });
    // Computed from the system clock, which may have been set back.
    const seconds = Math.max(Math.ceil(Math.min(counted.msBeforeNext / 1000, duration)), 1);
    return {
      policy: `"${name}";q=${points};w=${Math.ceil(duration)}`,
      state: `"${name}";r=${isRefused ? 0 : counted.remainingPoints};t=${seconds}`,
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

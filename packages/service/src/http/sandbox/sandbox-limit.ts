import { RateLimiterRes } from "rate-limiter-flexible";
import type { Application } from "../../model/application.js";
import type { Storage } from "../../storage/storage.js";

/** How many lookups a sandbox application may make. */
export interface RateLimit {
  /** Lookups in one window. */
  readonly burst: number;
  /** Lookups in the long run: a window takes `burst / perSecond` seconds. */
  readonly perSecond: number;
}

/** Seconds until a sandbox application may ask again; 0 if it may ask now, which counts. */
export type SandboxLimit = (application: Application) => Promise<number>;

/** Makes the limit of every sandbox application. */
export function createSandboxLimit(
  { burst, perSecond }: RateLimit,
  storage: Pick<Storage, "rateLimiter">,
): SandboxLimit {
  const duration = burst / perSecond;
  const limiter = storage.rateLimiter({ points: Math.floor(burst), duration });
  return async ({ id }) => {
    try {
      await limiter.consume(id);
      return 0;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      // By the time of day, which may have been set back.
      const seconds = Math.ceil(Math.min(refused.msBeforeNext / 1000, duration));
      return Math.max(seconds, 1);
    }
  };
}

import { RateLimiterRes } from "rate-limiter-flexible";
import type { Application } from "../../model/application.js";
import type { Storage } from "../../storage/storage.js";

/** Lookup limit of a sandbox application. */
export interface RateLimit {
  /** Lookups in one window. */
  readonly burst: number;
  /** Average rate: a window lasts `burst / perSecond` seconds. */
  readonly perSecond: number;
}

/** Counts a lookup; resolves to the seconds to wait if the limit is reached, and otherwise to 0. */
export type SandboxLimit = (application: Application) => Promise<number>;

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
      // Computed from the system clock, which may have been set back.
      const seconds = Math.ceil(Math.min(refused.msBeforeNext / 1000, duration));
      return Math.max(seconds, 1);
    }
  };
}

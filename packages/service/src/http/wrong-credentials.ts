import { createHash, randomBytes } from "node:crypto";
import { normalizeIp, parseIp } from "@riskgate/core/address";
import { RateLimiterMemory } from "rate-limiter-flexible";

/** Counts wrong keys and tokens by the address they come from. */
export interface WrongCredentials {
  /**
   * Counts one more.
   *
   * @param address Address of the connection.
   * @returns Seconds until the next is answered as the first was; 0 while there were not too many.
   */
  count(address: string | undefined): Promise<number>;
}

/** Wrong keys and tokens of one address in {@link WINDOW_SECONDS} before it is asked to wait. */
const MAX_WRONG = 20;
const WINDOW_SECONDS = 60;

/**
 * Number of counters: addresses share them, so that no number of addresses takes more memory. Two that
 * share one lose nothing but an earlier request to wait, because only wrong credentials are counted.
 */
const COUNTERS = 16_384;

/** Makes the counters. */
export function createWrongCredentials(counters: number = COUNTERS): WrongCredentials {
  const limiter = new RateLimiterMemory({ points: MAX_WRONG, duration: WINDOW_SECONDS });
  // Without it, an address could be chosen to share the counter of another.
  const salt = randomBytes(16);
  return {
    async count(address) {
      const counter = createHash("sha256")
        .update(salt)
        .update(sourceOf(address))
        .digest()
        .readUInt32BE(0);
      const { consumedPoints, msBeforeNext } = await limiter.penalty(counter % counters);
      if (consumedPoints <= MAX_WRONG) return 0;
      // By the time of day, which may have been set back.
      return Math.min(Math.max(Math.ceil(msBeforeNext / 1000), 1), WINDOW_SECONDS);
    },
  };
}

const words = new Uint32Array(4);

/** An IPv4 address, or the /64 of an IPv6 address: whoever has one has all addresses in it. */
function sourceOf(address: string | undefined): string {
  const ip = normalizeIp(address) ?? "";
  return parseIp(ip, words) === 6 ? `${words[0]}.${words[1]}/64` : ip;
}

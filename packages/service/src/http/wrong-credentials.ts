import { createHash, randomBytes } from "node:crypto";
import { destinationOf, parseIp } from "@riskgate/core/address";
import { RateLimiterMemory } from "rate-limiter-flexible";

export interface WrongCredentials {
  /**
   * Counts a wrong key or token.
   *
   * @param address Remote address of the connection.
   * @returns Seconds that the address should wait; 0 if the limit is not reached.
   */
  count(address: string | undefined): Promise<number>;
}

/** Maximum number of wrong keys and tokens from an address within {@link WINDOW_SECONDS}. */
const MAX_WRONG = 20;
const WINDOW_SECONDS = 60;

/**
 * Number of counters. Addresses share them, so that memory use does not grow with the number of
 * addresses. Since only wrong credentials count, the only effect is that an address may have to wait
 * sooner.
 */
const COUNTERS = 16_384;

export function createWrongCredentials(counters: number = COUNTERS): WrongCredentials {
  const limiter = new RateLimiterMemory({ points: MAX_WRONG, duration: WINDOW_SECONDS });
  // Without a salt, an attacker could choose an address that shares another address's counter.
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
      // Computed from the system clock, which may have been set back.
      return Math.min(Math.max(Math.ceil(msBeforeNext / 1000), 1), WINDOW_SECONDS);
    },
  };
}

const words = new Uint32Array(4);

/** Returns an IPv4 address, or the /64 network of an IPv6 address, which one client controls. */
function sourceOf(address: string | undefined): string {
  const ip = destinationOf(address) ?? "";
  return parseIp(ip, words) === 6 ? `${words[0]}.${words[1]}/64` : ip;
}

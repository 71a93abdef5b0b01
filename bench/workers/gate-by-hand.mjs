import { isIP } from "node:net";
import { LRUCache } from "lru-cache";

const REJECT_ABOVE = 80;
const TTL_MS = 300_000;

/** Caches of a gate by hand. A `Map` never evicts, so it does the least work. */
const cacheMakers = {
  floor: () => new Map(),
  "by hand": () => new LRUCache({ max: 10_000, ttl: TTL_MS }),
};

/**
 * Creates the code that one would write instead of a gate: reads two caches and takes the higher score.
 *
 * @param {keyof typeof cacheMakers} variant
 * @param {import("@riskgate/core").RiskLookup} lookup Fills the caches.
 * @param {readonly { ip: string, email: string }[]} visitors
 */
export async function createGateByHand(variant, lookup, visitors) {
  /** @type {Map<string, any> | LRUCache<string, any>} */
  const ips = cacheMakers[variant]();
  /** @type {Map<string, any> | LRUCache<string, any>} */
  const emails = cacheMakers[variant]();
  for (const { ip, email } of visitors) {
    ips.set(ip, await lookup.lookupIp(ip));
    emails.set(email, await lookup.lookupEmail(email));
  }
  return {
    /** @param {{ ip: string, email: string }} facts */
    decide({ ip, email }) {
      const byIp = isIP(ip) === 0 ? undefined : ips.get(ip);
      const byEmail = emails.get(email.toLowerCase());
      return byIp && byEmail && decision(byIp, byEmail);
    },
    /** Does the same with a promise for each read. @param {{ ip: string, email: string }} facts */
    async decideLater({ ip, email }) {
      const [byIp, byEmail] = await Promise.all([
        (async () => ips.get(ip))(),
        (async () => emails.get(email.toLowerCase()))(),
      ]);
      return decision(byIp, byEmail);
    },
  };
}

/** @param {{ risk_score: number }} byIp @param {{ risk_score: number }} byEmail */
function decision(byIp, byEmail) {
  const score = Math.max(byIp.risk_score, byEmail.risk_score);
  return { outcome: score > REJECT_ABOVE ? "reject" : "allow", score, byIp, byEmail };
}

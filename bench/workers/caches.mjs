import { createRiskClient } from "@riskgate/core";
import { LRUCache } from "lru-cache";
import QuickLru from "quick-lru";
import { lru } from "tiny-lru";

const TTL_MS = 3_600_000;

/** @typedef {{ get(key: string): any, set(key: string, value: object): unknown }} Cache */

/** @type {Record<"Map" | "lru-cache" | "lru-cache, ttl" | "quick-lru" | "quick-lru, ttl" | "tiny-lru", (entries: number) => Cache>} */
export const cacheMakers = {
  Map: () => new Map(),
  "lru-cache": (entries) => new LRUCache({ max: entries }),
  "lru-cache, ttl": (entries) => new LRUCache({ max: entries, ttl: TTL_MS }),
  "quick-lru": (entries) => new QuickLru({ maxSize: entries }),
  "quick-lru, ttl": (entries) => new QuickLru({ maxSize: entries, maxAge: TTL_MS }),
  "tiny-lru": (entries) => lru(entries),
};

/** @param {number} n Up to 16 million. */
export const addressOf = (n) => `81.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

/** @param {number} n */
export const emailOf = (n) => `visitor.${n}@example.com`;

const RISK = {
  risk_score: 12,
  is_known_attacker: false,
  high_risk_security_events_count: 0,
  security_events_count: 3,
};
const ABOUT_IP = JSON.stringify({
  ip_version: 4,
  ...RISK,
  ip_geo: { latitude: 52.3759, longitude: 4.8975, country_code: "NLD", city: "Amsterdam" },
  is_datacenter: false,
  is_vpn: false,
  is_proxy: false,
  is_private: false,
  is_tor: false,
});
const ABOUT_EMAIL = JSON.stringify({
  ...RISK,
  is_email_harmful: false,
  is_disposable: false,
  is_email_malformed: false,
});

/** An assessment as a service would write it. @param {string} identifier */
export function textOf(identifier) {
  return identifier.includes("@")
    ? `{"email":"${identifier}",${ABOUT_EMAIL.slice(1)}`
    : `{"ip":"${identifier}",${ABOUT_IP.slice(1)}`;
}

/** A client of a service that answers at once. @param {number} maxEntries */
export function clientFor(maxEntries) {
  return createRiskClient({
    baseUrl: "http://localhost",
    apiKey: "bench-key",
    cache: { maxEntries, ttlMs: TTL_MS },
    fetch: async (url) => answerWith(textOf(identifierIn(/** @type {string} */ (url)))),
  });
}

/** @param {string} url */
const identifierIn = (url) => decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));

/** As much of a `Response` as is read: a real one for each of a million entries would take minutes. */
function answerWith(/** @type {string} */ text) {
  let isRead = false;
  const read = async () => {
    if (isRead) return { done: true };
    isRead = true;
    return { done: false, value: Buffer.from(text) };
  };
  return /** @type {Response} */ (
    /** @type {unknown} */ ({
      status: 200,
      headers: new Map(),
      body: { getReader: () => ({ read }) },
    })
  );
}

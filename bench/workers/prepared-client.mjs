import { createRiskClient } from "@riskgate/core";

const TTL_MS = 3_600_000;

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

/** Returns an assessment as a service writes it. @param {string} identifier */
function textOf(identifier) {
  return identifier.includes("@")
    ? `{"email":"${identifier}",${ABOUT_EMAIL.slice(1)}`
    : `{"ip":"${identifier}",${ABOUT_IP.slice(1)}`;
}

/** Creates a client whose service answers at once. @param {number} maxEntries */
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

/** The parts of a `Response` that the client reads: real ones for all entries would take long. */
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

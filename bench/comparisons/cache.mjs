import { inChild } from "../lib/child.mjs";
import { timed } from "../lib/timing.mjs";
import { addressOf, cacheMakers, clientFor, textOf } from "../workers/caches.mjs";

const MEMORY = new URL("../workers/cache-memory.mjs", import.meta.url);
const ENTRIES = 10_000;

export default {
  name: "cache",
  title: "The cache of the client",
  about:
    "Finding an assessment in memory, and the memory that an entry takes. A hit is looked up by a " +
    "text of its own, as that of a request is, and not by the very object that is the key.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [hit(), ...(quick ? [ENTRIES] : [ENTRIES, 1_000_000]).map(memory)],
};

function hit() {
  return {
    name: `hit, ${ENTRIES} entries`,
    figure: "cpuNs",
    baseline: "Map",
    async open() {
      const client = clientFor(ENTRIES);
      const addresses = Array.from({ length: ENTRIES }, (_, n) => addressOf(n));
      const caches = Object.entries(cacheMakers).map(([name, make]) => {
        const cache = make(ENTRIES);
        for (const ip of addresses) cache.set(Buffer.from(ip).toString(), JSON.parse(textOf(ip)));
        return { name, get: (/** @type {string} */ ip) => cache.get(ip).risk_score };
      });
      for (const ip of addresses) await client.lookupIp(ip);
      caches.push({ name: "riskgate", get: (ip) => client.peekIp(ip)?.assessment.risk_score });
      return {
        variants: caches.map(({ name, get }) => {
          if (addresses.some((ip) => get(ip) !== 12)) throw new Error(`${name} has lost an entry`);
          return {
            name,
            measure: timed((call) => get(addresses[call % ENTRIES] ?? ""), { unit: "ns" }),
          };
        }),
        close: () => client.close(),
      };
    },
  };
}

/** @param {number} entries */
function memory(entries) {
  return {
    name: `memory of an entry, ${entries} entries`,
    figure: "bytes",
    baseline: "Map",
    rounds: entries > ENTRIES ? 1 : 3,
    warmUp: false,
    async open() {
      return {
        variants: [...Object.keys(cacheMakers), "riskgate"].map((name) => ({
          name,
          measure: () => inChild(MEMORY, name, entries),
        })),
      };
    },
  };
}

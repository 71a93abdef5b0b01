import { LRUCache } from "lru-cache";
// The one that all lookups of a client share; it is no export of the package.
import { createFlights } from "../../packages/core/dist/cjs/flight.js";
import { inChild } from "../lib/child.mjs";
import { timed, timedAsync } from "../lib/timing.mjs";
import { addressOf, cacheMakers, clientFor, textOf } from "../workers/caches.mjs";

const MEMORY = new URL("../workers/cache-memory.mjs", import.meta.url);
const ENTRIES = 10_000;
const CALLERS = 100;

export default {
  name: "cache",
  title: "The cache of the client",
  about:
    "Finding an assessment in memory, sharing one call among all who ask the same, and what an entry " +
    "takes. A hit is asked for by a text of its own, as that of a request is, and not by the very " +
    "object that is the key.",
  /** @param {{ quick: boolean }} options */
  cases: ({ quick }) => [
    hit(),
    miss(),
    crowd(),
    ...(quick ? [ENTRIES] : [ENTRIES, 1_000_000]).map(memory),
  ],
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
    targets: [
      { id: "5a", variant: "riskgate", figure: "cpuNs", as: "value", atMost: 60 },
      { id: "5a", variant: "riskgate", against: "Map", figure: "cpuNs", as: "ratio", atMost: 2.5 },
    ],
  };
}

/** What a call of a client comes to, for a source that answers at once. */
const source = async (/** @type {string} */ ip) => ip;

/** By hand, without what ends a call. @returns {(ip: string) => Promise<string>} */
function sharedByHand() {
  /** @type {Map<string, Promise<string>>} */
  const calls = new Map();
  return (ip) => {
    const present = calls.get(ip);
    if (present) return present;
    const call = source(ip);
    calls.set(ip, call);
    const end = () => void calls.delete(ip);
    call.then(end, end);
    return call;
  };
}

/** @returns {(ip: string) => Promise<string>} */
function sharedByUs() {
  const flights = createFlights();
  return (ip) => flights.join(ip, () => ({ result: source(ip), cancel() {} })).result;
}

/** @returns {(ip: string) => Promise<string | undefined>} */
function sharedByLruCache() {
  const cache = new LRUCache({ max: ENTRIES, fetchMethod: source });
  return (ip) => cache.fetch(ip);
}

const SHARED = {
  "by hand": sharedByHand(),
  riskgate: sharedByUs(),
  "lru-cache, fetchMethod": sharedByLruCache(),
};

function miss() {
  return {
    name: "one call shared, a miss whose source answers at once",
    figure: "cpuUs",
    baseline: "by hand",
    async open() {
      const variants = Object.entries({ "source alone": source, ...SHARED });
      for (const [name, ask] of variants) {
        if ((await ask("81.0.0.1")) !== "81.0.0.1") throw new Error(`${name} answers wrongly`);
      }
      return {
        variants: variants.map(([name, ask]) => ({
          name,
          // A miss every time: one cache would hold what has been asked.
          measure: timedAsync((call) => ask(`${call}`)),
        })),
      };
    },
    targets: [
      {
        id: "5a",
        variant: "riskgate",
        against: "source alone",
        figure: "cpuUs",
        as: "added",
        atMost: 1,
      },
    ],
  };
}

function crowd() {
  return {
    name: `one call shared by ${CALLERS} callers`,
    figure: "cpuUs",
    baseline: "by hand",
    open: async () => ({
      variants: Object.entries(SHARED).map(([name, ask]) => ({
        name,
        measure: timedAsync((call) =>
          Promise.all(Array.from({ length: CALLERS }, () => ask(`of ${call}`))),
        ),
      })),
    }),
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
    targets: [{ id: "5b", variant: "riskgate", figure: "bytes", as: "value", atMost: 350 }],
  };
}

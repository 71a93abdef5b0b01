import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "maxmind";
import { bundleSources } from "../../tools/test/bundle-sources.mjs";
import { timed } from "../lib/timing.mjs";
import { ipv4Addresses } from "../workers/addresses.mjs";
import { geoDatabase } from "../workers/geo-database.mjs";
import { createRandom } from "../workers/random.mjs";

const { openGeo, parseAddress } = await import(
  await bundleSources("engine", "geo/geo.ts", "identifier/parsed-ip.ts")
);

/**
 * The place of an address, given as text, from a database made for this.
 *
 * @param {{ networks: number, places: number }} size
 */
export function places(size) {
  const name = `place of an address, ${size.networks.toLocaleString("en")} networks`;
  return [
    placesOf(`${name}, 1,024 hot addresses`, 1_024, size),
    placesOf(`${name}, random addresses`, 131_072, size),
  ];
}

/**
 * @param {string} name
 * @param {number} count Addresses, which are asked in turn.
 * @param {{ networks: number, places: number }} size
 */
function placesOf(name, count, size) {
  return {
    name,
    figure: "ns",
    baseline: "riskgate",
    async open() {
      const folder = await mkdtemp(join(tmpdir(), "riskgate-bench-"));
      const path = join(folder, "places.mmdb");
      await writeFile(path, geoDatabase(size));
      const [reader, geo] = [await open(path), await openGeo({ path })];
      await rm(folder, { recursive: true });
      const asked = ipv4Addresses(count, createRandom(2));
      /** @type {Record<string, (ip: string) => any>} */
      const ways = {
        riskgate: (ip) => geo.locate(/** @type {any} */ (parseAddress(ip))),
        maxmind: (ip) => reader.get(ip),
      };
      for (const ip of asked.slice(0, 1_000)) {
        const [own, other] = [ways.riskgate?.(ip), ways.maxmind?.(ip)];
        if (own.city !== other.city.names.en) throw new Error(`they disagree about ${ip}`);
      }
      // The records kept are what is measured, and not their first reading.
      for (const ip of asked) ways.riskgate?.(ip);
      return {
        variants: Object.entries(ways).map(([variant, find]) => ({
          name: variant,
          measure: timed((call) => find(asked[call % count] ?? ""), { unit: "ns" }),
        })),
      };
    },
  };
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReporter, type LoginReport } from "@riskgate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { geoFile, type GeoValue } from "../../../../tools/test/geo-file.js";
import { createService } from "../../src/index.js";

const TOKEN = "administration-token-1";
const START = Date.UTC(2026, 0, 5);
const HOUR_MS = 3_600_000;
const MINUTE = 1 / 60;

/** Networks with the place that a geo database gives: name, country, coordinates, accuracy in km. */
const NETWORKS = {
  paris: ["81.1", "Paris", "FR", 48.85, 2.35, 20],
  london: ["81.2", "London", "GB", 51.5, -0.12, 20],
  newYork: ["81.3", "New York", "US", 40.7, -74, 20],
  tokyo: ["81.4", "Tokyo", "JP", 35.7, 139.7, 20],
  sydney: ["81.5", "Sydney", "AU", -33.9, 151.2, 20],
  losAngeles: ["81.6", "Los Angeles", "US", 34.05, -118.2, 20],
  marseille: ["81.7", "Marseille", "FR", 43.3, 5.4, 20],
  berlin: ["81.8", "Berlin", "DE", 52.5, 13.4, 20],
  madrid: ["81.9", "Madrid", "ES", 40.4, -3.7, 20],
  denver: ["81.10", "Denver", "US", 39.7, -105, 20],
  singapore: ["81.11", "Singapore", "SG", 1.35, 103.8, 20],
  saoPaulo: ["81.12", "Santos", "BR", -23.5, -46.6, 20],
  /** Carriers send phones out of a few towns, so a database states a large radius. */
  frenchCarrier: ["82.1", "Paris", "FR", 48.85, 2.35, 500],
  americanCarrier: ["82.2", "Dallas", "US", 32.8, -96.8, 1000],
  vpnNewYork: ["83.1", "New York", "US", 40.7, -74, 20],
  vpnTokyo: ["83.2", "Tokyo", "JP", 35.7, 139.7, 20],
  vpnSydney: ["83.3", "Sydney", "AU", -33.9, 151.2, 20],
  proxy: ["84.1", "Santos", "BR", -23.5, -46.6, 20],
  torExit: ["85.1", "Moscow", "RU", 55.75, 37.6, 20],
  relayLondon: ["86.1", "London", "GB", 51.5, -0.12, 20],
  relayBerlin: ["86.2", "Berlin", "DE", 52.5, 13.4, 20],
  hosting: ["87.1", "Dublin", "IE", 53.3, -6.3, 20],
} as const;

type Network = keyof typeof NETWORKS;

/** A login so many hours after the start. */
type Leg = readonly [hours: number, network: Network, device?: LoginReport["device"]];
type Trip = readonly [name: string, ...legs: Leg[]];

const JOURNEYS: readonly Trip[] = [
  ["flight Paris to New York", [0, "paris"], [8.5, "newYork"]],
  ["flights London to Sydney", [0, "london"], [12, "singapore"], [23, "sydney"]],
  ["flight Los Angeles to Tokyo", [0, "losAngeles"], [11.5, "tokyo"]],
  ["flight with tailwind New York to London", [0, "newYork"], [6.2, "london"]],
  ["flight Tokyo to Paris and back", [0, "tokyo"], [14, "paris"], [50, "tokyo"]],
  ["train Paris to Marseille", [0, "paris"], [3.1, "marseille"]],
  ["train Berlin to Paris", [0, "berlin"], [8, "paris"]],
  ["trains Madrid to Paris", [0, "madrid"], [10, "paris"]],
  ["commuter", [0, "paris"], [1, "paris"], [10, "paris"], [24, "paris"]],
  ["VPN on", [0, "paris"], [2 * MINUTE, "vpnNewYork"]],
  ["VPN off", [0, "vpnTokyo"], [MINUTE, "berlin"]],
  ["VPN changes", [0, "vpnTokyo"], [0.05, "vpnNewYork"], [0.1, "vpnSydney"], [0.2, "madrid"]],
  ["Tor", [0, "losAngeles"], [MINUTE, "torExit"], [0.5, "losAngeles"]],
  ["proxy", [0, "tokyo"], [MINUTE, "proxy"]],
  ["gateway of a company", [0, "sydney"], [MINUTE, "hosting"], [0.2, "sydney"]],
  ["relay", [0, "madrid"], [MINUTE, "relayLondon"], [0.1, "relayBerlin"]],
  ["relay abroad", [0, "relayLondon"], [MINUTE, "sydney"], [0.1, "relayBerlin"]],
  ["phone of a carrier", [0, "marseille"], [MINUTE, "frenchCarrier"], [0.2, "marseille"]],
  ["phone of a large carrier", [0, "denver"], [MINUTE, "americanCarrier"], [0.2, "denver"]],
  ["roaming phone", [0, "newYork"], [MINUTE, "frenchCarrier", "known"], [0.2, "newYork", "known"]],
];

const IMPOSSIBLE: readonly Trip[] = [
  ["Paris and Tokyo", [0, "paris"], [1 / 6, "tokyo"]],
  ["London and Sydney", [0, "london"], [6, "sydney", "new"]],
  ["New York and Los Angeles", [0, "newYork"], [1, "losAngeles", "revoked"]],
  ["known in Madrid, new in Singapore", [0, "madrid", "known"], [5, "singapore", "new"]],
  ["behind a VPN in between", [0, "berlin"], [1, "vpnSydney"], [4, "saoPaulo"]],
];

/** Returns numbers from 0 to 1 that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function place([, city, country, latitude, longitude, radius]: (typeof NETWORKS)[Network]) {
  return {
    city: { names: { en: city } },
    country: { iso_code: country },
    location: {
      latitude: String(latitude),
      longitude: String(longitude),
      accuracy_radius: radius,
    },
  } satisfies GeoValue;
}

/** A service whose feeds and geo database know the networks above, and its application. */
async function serve() {
  const dataDir = await mkdtemp(join(tmpdir(), "travel-"));
  const geo = join(dataDir, "places.mmdb");
  const places = Object.values(NETWORKS).map((one) => [`${one[0]}.0.0/16`, place(one)] as const);
  await writeFile(geo, geoFile("X-City", Object.fromEntries(places)));
  const service = await createService({
    adminToken: TOKEN,
    dispatch: false,
    dataDir,
    geo,
    feeds: [
      { kind: "vpn", entries: ["83.0.0.0/8"] },
      { kind: "proxy", entries: ["84.0.0.0/8"] },
      { kind: "tor", entries: ["85.0.0.0/8"] },
      { kind: "datacenter", name: "relay", entries: ["86.0.0.0/8"] },
      { kind: "datacenter", name: "cloud", entries: ["87.0.0.0/8"] },
    ],
  });
  onTestFinished(async () => {
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const admin = async (path: string, body?: object) => {
    const response = await fetch(`${adminUrl}/admin/v1${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        connection: "close",
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as {
      application: { id: string };
      key: string;
      events: { payload: Readonly<Record<string, unknown>> }[];
    };
  };
  const { application } = await admin("/applications", { name: "Shop" });
  const { key } = await admin(`/applications/${application.id}/keys`, { scope: "report" });
  return { url, key, events: () => admin(`/applications/${application.id}/events?limit=500`) };
}

const accountOf = (name: string, seed: number): string =>
  `${name.replaceAll(/[^a-z]+/gi, "-").toLowerCase()}-${seed}@shop.example`;

/** The logins of the trips, with addresses and delays that depend on the seed only. */
function loginsOf(trips: readonly Trip[], seed: number): LoginReport[] {
  const random = seeded(seed);
  return trips.flatMap(([name, ...legs]) =>
    legs.map(([hours, network, device]): LoginReport => {
      const address = `${NETWORKS[network][0]}.${Math.floor(random() * 256)}.${1 + Math.floor(random() * 250)}`;
      const at = new Date(START + hours * HOUR_MS * (1 + random() * 0.03));
      return {
        account: accountOf(name, seed),
        address,
        success: true,
        at,
        ...(device && { device }),
      };
    }),
  );
}

describe("journeys", () => {
  it.each([
    ["in order", (logins: LoginReport[]) => logins],
    ["late and in reverse", (logins: LoginReport[]) => logins.toReversed()],
  ])("of people are not an event, and impossible ones are: %s", async (_, arranged) => {
    const { url, key, events } = await serve();
    const reporter = createReporter({ baseUrl: url, reportKey: key, batchSize: 25 });
    const seeds = [1, 2, 3];
    const end = { account: "end@shop.example", address: "85.1.0.1", success: false };
    for (const seed of seeds) {
      for (const login of arranged(loginsOf([...JOURNEYS, ...IMPOSSIBLE], seed))) {
        reporter.login(login);
      }
    }
    // Detection works in order, so its event is the last one.
    reporter.login(end);
    await reporter.close();
    expect(reporter.stats()).toMatchObject({ refused: 0, dropped: 0 });
    const isEnd = ({ payload }: { payload: object }) => JSON.stringify(payload).includes("end@");
    await expect
      .poll(async () => (await events()).events.some(isEnd), { timeout: 30_000 })
      .toBe(true);
    const { events: all } = await events();
    const found = all
      .map(({ payload }) => payload)
      .filter(({ event_kind: kind }) => kind === "auth_multi_locations");
    const accounts = found.map((event) => {
      const [account] = event["application_account_account_keys"] as { value: string }[];
      return account?.value;
    });
    const expected = seeds.flatMap((seed) => IMPOSSIBLE.map(([name]) => accountOf(name, seed)));
    expect(accounts.toSorted()).toEqual(expected.toSorted());
    const paris = found.find((event) =>
      JSON.stringify(event).includes(accountOf("Paris and Tokyo", 1)),
    );
    expect(paris).toMatchObject({
      travel: {
        from: { geo: { city: "Paris", code: "FRA", point: [2.35, 48.85] } },
        to: { geo: { city: "Tokyo", code: "JPN", point: [139.7, 35.7] } },
        distance_km: 9672,
      },
      humanized_description: expect.stringMatching(
        /^Connections to paris-and-tokyo-1@shop\.example from Paris, FRA at 2026-01-05T00:00:00Z and from Tokyo, JPN at 2026-01-05T00:10:\d\dZ: 9,672 km apart, at 5\d,\d{3} km\/h$/,
      ),
    });
  });
});

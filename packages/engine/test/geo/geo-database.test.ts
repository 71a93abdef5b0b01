import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGeo } from "../../src/geo/geo.js";
import { parseAddress } from "../../src/identifier/parsed-ip.js";
import { geoFile, type GeoValue } from "../../../../tools/test/geo-file.js";
import { hasSharedData, sharedData } from "../support/shared-data.js";

const at = (ip: string) => parseAddress(ip)!;

const system = (number: number, organisation: string): GeoValue => ({
  autonomous_system_number: number,
  autonomous_system_organization: organisation,
});

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "geo-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function written(name: string, bytes: Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, bytes);
  return path;
}

describe("openGeo with a database of autonomous systems", () => {
  it.each([24, 32] as const)("finds the system of an address (%d bits)", async (size) => {
    const networks = {
      "203.0.113.0/24": system(64500, "Example Hosting"),
      "203.0.113.128/25": system(64501, "Example Access"),
      "2001:db8::/32": system(64502, "Example Six"),
    };
    const asn = await written(`asn-${size}.mmdb`, geoFile("GeoLite2-ASN", networks, size));
    const geo = await openGeo({ asn });
    expect(geo.systemOf(at("203.0.113.5"))).toEqual({
      number: 64500,
      organisation: "Example Hosting",
    });
    expect(geo.systemOf(at("203.0.113.200"))).toEqual({
      number: 64501,
      organisation: "Example Access",
    });
    expect(geo.systemOf(at("2001:db8::1"))).toEqual({ number: 64502, organisation: "Example Six" });
    expect(geo.systemOf(at("198.51.100.1"))).toBeUndefined();
    expect(geo.locate(at("203.0.113.5"))).toEqual({});
  });

  it("keeps the places of the other database apart", async () => {
    const path = await written(
      "country.mmdb",
      geoFile("GeoLite2-Country", { "203.0.113.0/24": { country: { iso_code: "DE" } } }),
    );
    const asn = await written(
      "asn.mmdb",
      geoFile("DBIP-ASN-Lite", { "203.0.112.0/20": system(64500, "Example") }),
    );
    const geo = await openGeo({ path, asn });
    expect(geo.locate(at("203.0.113.5"))).toEqual({ country_code: "DEU" });
    expect(geo.systemOf(at("203.0.113.5"))).toMatchObject({ number: 64500 });
    expect(geo.locate(at("203.0.112.5"))).toEqual({});
    expect(geo.systemOf(at("203.0.112.5"))).toMatchObject({ number: 64500 });
  });

  it("reads the systems of a database for enterprises itself", async () => {
    const location = { accuracy_radius: 500 };
    const record: GeoValue = {
      country: { iso_code: "FR" },
      location,
      traits: system(64500, "Example"),
    };
    const path = await written(
      "ent.mmdb",
      geoFile("GeoIP2-Enterprise", { "203.0.113.0/24": record }),
    );
    const geo = await openGeo({ path });
    expect(geo.locate(at("203.0.113.5"))).toEqual({ country_code: "FRA", accuracy_km: 500 });
    expect(geo.systemOf(at("203.0.113.5"))).toEqual({ number: 64500, organisation: "Example" });
  });

  it("answers the same however few systems it may keep", async () => {
    const networks = Object.fromEntries(
      Array.from({ length: 20 }, (_, part) => [`203.0.113.${part}/32`, system(64500 + part, "N")]),
    );
    const asn = await written("many.mmdb", geoFile("GeoLite2-ASN", networks));
    const geo = await openGeo({ asn, maxLocations: 3 });
    for (let round = 0; round < 2; round++) {
      for (let part = 0; part < 20; part++) {
        expect(geo.systemOf(at(`203.0.113.${part}`))).toMatchObject({ number: 64500 + part });
      }
    }
  });

  it("refuses a database without what is asked for, and names what it holds", async () => {
    const country = { country: { iso_code: "DE" } };
    const city = await written(
      "city.mmdb",
      geoFile("GeoLite2-City", { "203.0.113.0/24": country }),
    );
    const asn = await written(
      "as.mmdb",
      geoFile("GeoLite2-ASN", { "203.0.113.0/24": system(64500, "N") }),
    );
    await expect(openGeo({ asn: city })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(
        "holds no autonomous systems that can be read, given GeoLite2-City with country",
      ),
    });
    await expect(openGeo({ path: asn })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      hint: expect.stringContaining("`asn`"),
    });
  });

  it("refuses a database of which no record can be read, whatever it calls itself", async () => {
    const unknown: GeoValue = { nation: "DE" };
    const path = await written("odd.mmdb", geoFile("Country", { "203.0.113.0/24": unknown }));
    await expect(openGeo({ path })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("given Country with nation"),
    });
    const empty = await written("empty.mmdb", geoFile("Country", { "203.0.113.0/24": {} }));
    await expect(openGeo({ path: empty })).rejects.toThrow("with no records");
  });

  it("refuses a missing file by its path", async () => {
    await expect(openGeo({ asn: join(directory, "none.mmdb") })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining("none.mmdb is missing"),
    });
  });

  it.runIf(hasSharedData)("refuses every damaged database", async () => {
    const names = await readdir(sharedData("geo/corrupt"));
    for (const name of names) {
      const opening = openGeo({ asn: sharedData(`geo/corrupt/${name}`) });
      await expect(opening, name).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    }
  });

  it.runIf(hasSharedData)("reads the real one (in ../shared/data)", async () => {
    const geo = await openGeo({ asn: sharedData("geo/GeoLite2-ASN-Test.mmdb") });
    expect(geo.systemOf(at("1.128.0.1"))).toEqual({
      number: 1221,
      organisation: "Telstra Pty Ltd",
    });
    expect(geo.systemOf(at("2600:6000::1"))).toMatchObject({ number: 237 });
    expect(geo.systemOf(at("192.0.2.1"))).toBeUndefined();
  });
});

const GERMANY = { country_code: "DEU" };
const BERLIN = { ...GERMANY, city: "Berlin", latitude: 52.52, longitude: 13.405 };
const EXAMPLE = { number: 64500, organisation: "Example" };

/** Records as publishers write them. Degrees are text here: the writer knows whole numbers only. */
const FORMS: readonly (readonly [string, GeoValue, object, object | undefined])[] = [
  ["MaxMind and DB-IP countries", { country: { iso_code: "DE" } }, GERMANY, undefined],
  ["countries of ip-location-db", { country_code: "DE" }, GERMANY, undefined],
  ["countries of IPinfo", { country: "DE", country_name: "Germany" }, GERMANY, undefined],
  [
    "cities of MaxMind and DB-IP",
    {
      country: { iso_code: "DE" },
      city: { names: { en: "Berlin" } },
      location: { latitude: "52.52", longitude: "13.405" },
    },
    BERLIN,
    undefined,
  ],
  [
    "cities of ip-location-db",
    { country_code: "DE", city: "Berlin", latitude: "52.52", longitude: "13.405" },
    BERLIN,
    undefined,
  ],
  [
    "cities of IPinfo",
    { country: "DE", city: "Berlin", lat: "52.52", lng: "13.405" },
    BERLIN,
    undefined,
  ],
  [
    "IPinfo Lite",
    { country: "Germany", country_code: "DE", asn: "AS64500", as_name: "Example" },
    GERMANY,
    EXAMPLE,
  ],
  ["systems of MaxMind and DB-IP", system(64500, "Example"), {}, EXAMPLE],
  [
    "enterprise databases of MaxMind",
    { country: { iso_code: "DE" }, traits: system(64500, "Example") },
    GERMANY,
    EXAMPLE,
  ],
  ["countries of IPLocate", { country_code: "DE", country_name: "Germany" }, GERMANY, undefined],
  ["systems of IPLocate", { asn: 64500, country_code: "DE", org: "Example" }, GERMANY, EXAMPLE],
  ["systems of IPinfo", { asn: "AS64500", name: "Example" }, {}, EXAMPLE],
];

describe("openGeo with each publisher's form of a record", () => {
  it.each(FORMS)("reads %s over IPv4 and IPv6", async (form, record, location, autonomous) => {
    const networks = { "203.0.113.0/24": record, "2001:db8::/32": record };
    const file = await written("form.mmdb", geoFile(form, networks));
    const hasPlaces = Object.keys(location).length > 0;
    const geo = await openGeo(hasPlaces ? { path: file } : { asn: file });
    for (const ip of ["203.0.113.5", "2001:db8::5"]) {
      expect(geo.locate(at(ip))).toEqual(location);
      expect(geo.systemOf(at(ip))).toEqual(autonomous);
    }
  });

  it("reads a database of IPv6 addresses alone", async () => {
    const networks = { "2001:db8::/32": { country_code: "DE" } };
    const path = await written("six.mmdb", geoFile("country ipv6", networks));
    expect((await openGeo({ path })).locate(at("2001:db8::5"))).toEqual(GERMANY);
  });
});

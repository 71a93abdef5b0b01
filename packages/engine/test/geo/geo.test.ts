import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGeo } from "../../src/geo/geo.js";
import { parseAddress } from "../../src/identifier/parsed-ip.js";
import { hasSharedData, sharedData } from "../support/shared-data.js";

const at = (ip: string) => parseAddress(ip)!;

const ADDRESSES = ["81.2.69.142", "1.1.1.1", "2.125.160.216", "2001:218::1", "2600::1", "::1"];

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "geo-"));
});
afterAll(() => rm(directory, { recursive: true }));

/** Opens and reads, or says with which code it was refused. */
async function tryGeo(path: string): Promise<unknown> {
  let geo;
  try {
    geo = await openGeo({ path });
  } catch (error) {
    return (error as { code: unknown }).code;
  }
  for (const ip of ADDRESSES) expect(typeof geo.locate(at(ip))).toBe("object");
  return "opened";
}

describe("openGeo", () => {
  it.each([
    ["a missing file", undefined],
    ["an empty file", Buffer.alloc(0)],
    ["a text", Buffer.from("<html>not found</html>")],
    ["a compressed file", Buffer.from("1f8b0800000000000003", "hex")],
    ["zeros", Buffer.alloc(100_000)],
  ])("refuses %s", async (label, content) => {
    const path = join(directory, `${label}.mmdb`);
    if (content) await writeFile(path, content);
    const promise = openGeo({ path });
    await expect(promise).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(promise).rejects.toThrow(path);
  });
});

describe.runIf(hasSharedData)("openGeo on real databases (in ../shared/data)", () => {
  it("tells what the city database holds", async () => {
    const geo = await openGeo({ path: sharedData("geo/GeoIP2-City-Test.mmdb") });
    expect(JSON.stringify(geo.locate(at("81.2.69.142")))).toBe(
      '{"latitude":51.5142,"longitude":-0.0931,"country_code":"GBR","city":"London","accuracy_km":10}',
    );
    expect(geo.locate(at("2001:218::1"))).toMatchObject({
      latitude: 35.68536,
      longitude: 139.75309,
      country_code: "JPN",
    });
    expect(geo.locate(at("8.8.8.8"))).toEqual({});
  });

  it("tells the country alone from the country database", async () => {
    const geo = await openGeo({ path: sharedData("geo/GeoIP2-Country-Test.mmdb") });
    expect(geo.locate(at("81.2.69.142"))).toEqual({ country_code: "GBR" });
  });

  it("reads the free edition", async () => {
    const geo = await openGeo({ path: sharedData("geo/GeoLite2-City-Test.mmdb") });
    expect(geo.locate(at("81.2.69.142"))).toMatchObject({ country_code: "GBR", city: "London" });
  });

  it("answers the same however few locations it may keep", async () => {
    const path = sharedData("geo/GeoIP2-City-Test.mmdb");
    const [all, one] = [await openGeo({ path }), await openGeo({ path, maxLocations: 1 })];
    for (const ip of [...ADDRESSES, ...ADDRESSES])
      expect(one.locate(at(ip))).toEqual(all.locate(at(ip)));
  });

  it.each([
    ["GeoLite2-ASN-Test.mmdb", "GeoLite2-ASN"],
    ["GeoIP2-Anonymous-IP-Test.mmdb", "GeoIP2-Anonymous-IP"],
  ])("refuses %s and names its type", async (name, type) => {
    const promise = openGeo({ path: sharedData(`geo/${name}`) });
    await expect(promise).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(promise).rejects.toThrow(type);
  });

  it("refuses every damaged database of the format's own test set", async () => {
    const names = await readdir(sharedData("geo/corrupt"));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      expect([name, await tryGeo(sharedData(`geo/corrupt/${name}`))]).toEqual([
        name,
        "CONFIG_INVALID",
      ]);
    }
  });

  it("survives the same damage under the type of a city database", async () => {
    // The type is a text of its own length in the metadata, which "City" replaces in place.
    for (const name of await readdir(sharedData("geo/corrupt"))) {
      const bytes = await readFile(sharedData(`geo/corrupt/${name}`));
      const at = bytes.indexOf("database_typeDTest");
      if (at < 0) continue;
      bytes.write("City", at + "database_typeD".length, "latin1");
      const path = join(directory, name);
      await writeFile(path, bytes);
      expect(["opened", "CONFIG_INVALID"]).toContain(await tryGeo(path));
    }
  });

  it("survives any changed bytes and any lost end", { timeout: 120_000 }, async () => {
    const whole = await readFile(sharedData("geo/GeoIP2-City-Test.mmdb"));
    const path = join(directory, "changed.mmdb");
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 40 }),
        fc.oneof(fc.constant(0), fc.nat(whole.length)),
        async (changes, lost) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          await writeFile(path, bytes.subarray(0, whole.length - lost));
          expect(["opened", "CONFIG_INVALID"]).toContain(await tryGeo(path));
        },
      ),
      { numRuns: 300 },
    );
  });
});

import { describe, expect, it } from "vitest";
import { networkOf } from "../../src/model/network.js";
import { distanceKm, isApart, placeName } from "../../src/model/place.js";

const at = (longitude: number, latitude: number) => ({ longitude, latitude });

describe("distanceKm", () => {
  it.each([
    ["nothing", at(2.35, 48.85), at(2.35, 48.85), 0],
    ["Paris to London", at(2.35, 48.85), at(-0.12, 51.5), 343],
    ["over the date line", at(179.5, 0), at(-179.5, 0), 111],
    ["pole to pole", at(0, 90), at(120, -90), 20_015],
    ["half around", at(0, 0), at(180, 0), 20_015],
  ])("measures %s", (_, from, to, km) => {
    expect(Math.round(distanceKm(from, to))).toBe(km);
    expect(Math.round(distanceKm(to, from))).toBe(km);
  });
});

describe("isApart", () => {
  it.each([
    ["two countries without coordinates", { code: "FRA" }, { code: "ITA" }, true],
    ["one country without coordinates", { code: "FRA", city: "Lille" }, { code: "FRA" }, false],
    ["a country and nothing", { code: "FRA" }, {}, false],
    [
      "near places over a border",
      { code: "FRA", point: [7.6, 47.6] },
      { code: "CHE", point: [7.6, 47.5] },
      false,
    ],
  ] as const)("judges %s", (_, a, b, expected) => {
    expect(isApart(a, b, 100)).toBe(expected);
  });
});

describe("placeName", () => {
  it("names what is known", () => {
    expect(placeName({ city: "Paris", code: "FRA" })).toBe("Paris, FRA");
    expect(placeName({ code: "FRA" })).toBe("FRA");
    expect(placeName({})).toBeUndefined();
  });
});

describe("networkOf", () => {
  it.each([
    ["8.8.8.8", 64, "8.8.8.8/32"],
    ["2001:db8:1:2:3:4:5:6", 64, "2001:db8:1:2::/64"],
    ["2001:db8::1", 64, "2001:db8::/64"],
    ["::1", 64, "::/64"],
    ["2001:db8::1", 128, "2001:db8::1/128"],
  ] as const)("takes %s with %d bits for %s", (ip, prefix, expected) => {
    expect(networkOf(ip, prefix)).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";
import { readOptions } from "../../src/base/options.js";
import { readCrossSite } from "../../src/decision/page-origin.js";
import { thrown } from "../support/caught.js";
import { collectWarnings } from "../support/warnings.js";

const check = (options: object = {}) => readOptions("riskGate", options, readCrossSite);

// The adapter contract has the headers of each kind of page (LGN-09, VEL-15).
describe("trustedOrigins", () => {
  it.each([
    ["a@b"],
    ["app.example"],
    ["https://app.example/"],
    ["https://app.example/path"],
    ["https://App.example"],
    ["https://app.example:443"],
    ["null"],
    ["*"],
    [7],
    [undefined],
  ])("refuses %j", (entry) => {
    const error = thrown(() => check({ trustedOrigins: ["https://ok.example", entry] }));
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(
      '`trustedOrigins[1]` must be an origin such as "https://example.com"',
    );
  });

  it.each([
    ["shop.example", "https://shop.example", false],
    ["shop.example:443", "https://shop.example", false],
    ["Shop.Example", "https://shop.example", false],
    ["shop.example:8080", "http://shop.example:8080", false],
    ["shop.example", "https://www.shop.example", true],
    ["shop.example", "https://shop.example.evil.example", true],
    ["shop.example:8080", "http://shop.example:8081", true],
    ["[2001:db8::1]:8080", "http://[2001:db8::1]:8080", false],
  ])("compares the host %s with the origin %s", (host, origin, expected) => {
    expect(check()({ headers: { host, origin } })).toBe(expected);
    expect(check()({ headers: { ":authority": host, origin } })).toBe(expected);
  });

  it("does not guess without a host", () => {
    expect(check()({ headers: { origin: "https://shop.example" } })).toBe(false);
  });
});

describe("RISKGATE_FOREIGN_ORIGIN", () => {
  const own = { headers: { "sec-fetch-site": "same-origin", origin: "https://shop.example" } };
  const other = { headers: { "sec-fetch-site": "same-site", origin: "https://app.shop.example" } };

  it.each([
    ["one page of the same origin", [own, ...Array.from({ length: 100 }, () => other)]],
    ["few requests", Array.from({ length: 49 }, () => other)],
    [
      "text that is not an origin",
      Array.from({ length: 100 }, () => ({ headers: { ...other.headers, origin: "a\nb" } })),
    ],
    ["requests without an origin", Array.from({ length: 100 }, () => ({ headers: {} }))],
  ])("is not emitted for %s", async (_, requests) => {
    const warnings = collectWarnings();
    const isCrossSite = check();
    for (const request of requests) isCrossSite(request);
    expect(await warnings()).toEqual([]);
  });

  it("is emitted once if all pages are elsewhere", async () => {
    const warnings = collectWarnings();
    const isCrossSite = check();
    for (let n = 0; n < 200; n++) isCrossSite(other);
    expect(await warnings()).toEqual(["RISKGATE_FOREIGN_ORIGIN"]);
  });
});

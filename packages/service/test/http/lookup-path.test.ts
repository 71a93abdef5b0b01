import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identifierOf, routeOf } from "../../src/http/lookup-path.js";

describe("routeOf", () => {
  it.each([
    ["/v1/ips/1.2.3.4", "/v1/ips"],
    ["/v1/emails/a@x.y?b", "/v1/emails"],
    ["/v1/ips/", "/v1/ips/"],
    ["/v1/ips?x", "/v1/ips?x"],
    ["/v1/ips/a/b", "/v1/ips/a/b"],
    ["/admin/v1/emails/x", "/admin/v1/emails/x"],
    ["//v1/ips/x", "//v1/ips/x"],
  ])("sends %s to %s", (url, route) => {
    expect(routeOf(url)).toBe(route);
  });
});

describe("identifierOf", () => {
  it("gives back any identifier that was encoded once", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (identifier) => {
        const url = `/v1/emails/${encodeURIComponent(identifier)}`;
        expect(identifierOf(url, "/v1/emails")).toBe(identifier);
        expect(routeOf(url)).toBe("/v1/emails");
      }),
      { numRuns: 1000 },
    );
  });

  it("throws for no path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (segment) => {
        const identifier = identifierOf(`/v1/ips/${segment}`, "/v1/ips");
        expect(["string", "undefined", "object"]).toContain(typeof identifier);
      }),
      { numRuns: 1000 },
    );
  });
});

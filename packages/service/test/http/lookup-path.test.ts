import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSegment, readLookupPath } from "../../src/http/lookup-path.js";
import { codePoint } from "../../../../tools/test/code-point.js";

describe("readLookupPath", () => {
  it.each([
    ["/v1/ips/1.2.3.4", "ip", "1.2.3.4"],
    ["/v1/ips/%zz", "ip", "%zz"],
    ["/v1/emails/a@x.y?b", "email", "a@x.y"],
    ["/v1/emails/a@x.y?b/c?d", "email", "a@x.y"],
  ])("takes the identifier out of %s", (url, type, segment) => {
    expect(readLookupPath(url)).toEqual({ type, segment });
  });

  it.each([
    "/v1/ips/",
    "/v1/ips/?x",
    "/v1/ips",
    "/v1/ips?x",
    "/v1/ips/a/b",
    "/v1/ips/a/",
    "/admin/v1/emails/x",
    "//v1/ips/x",
    "/V1/ips/x",
    "*",
    "",
  ])("leaves %j alone", (url) => {
    expect(readLookupPath(url)).toBeUndefined();
  });
});

describe("decodeSegment", () => {
  it("gives back any identifier that was encoded once", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (identifier) => {
        const segment = encodeURIComponent(identifier);
        expect(readLookupPath(`/v1/emails/${segment}`)).toEqual({ type: "email", segment });
        expect(decodeSegment(segment)).toBe(identifier);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["ann%40x.y", "ann@x.y"],
    ["ann@x.y", "ann@x.y"],
    ["a%2540x.y", "a%40x.y"],
    ["a%40b%40x.y", "a@b@x.y"],
    ["%40%2540", "@%40"],
    ["%40%", undefined],
    ["%4", undefined],
    ["%%40", undefined],
    ["%ff%40x.y", undefined],
  ])("decodes %s once", (segment, text) => {
    expect(decodeSegment(segment)).toBe(text);
  });

  it("throws for no segment", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (segment) => {
        expect(["string", "undefined"]).toContain(typeof decodeSegment(segment));
      }),
      { numRuns: 1000 },
    );
  });
});

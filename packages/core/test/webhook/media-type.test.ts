import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isJsonInUtf8 } from "../../src/webhook/media-type.js";

describe("isJsonInUtf8", () => {
  it.each([
    "application/json",
    "application/json; charset=utf-8",
    'APPLICATION/JSON ; charset="UTF-8"',
    "application/json;charset=UTF-8",
    " application/json ",
    "application/json;",
    "application/json; version=1; charset=utf-8",
    'application/json; note="x"',
  ])("WHR-10 takes %j", (contentType) => {
    expect(isJsonInUtf8(contentType)).toBe(true);
  });

  it.each([
    "",
    "text/plain",
    "application/jsonp",
    "application/json5",
    "application/json<x>",
    "application/problem+json",
    "application",
    'text/plain; x="application/json"',
    "application/json, application/json",
    "application/json charset=utf-8",
    "application/json; charset",
    'application/json; charset="utf-8',
    "application/json; charset = utf-8",
  ])("WHR-09 refuses %j", (contentType) => {
    expect(isJsonInUtf8(contentType)).toBe(false);
  });

  it.each(["utf-16", "utf-16le", "iso-8859-1", "utf-7", '"utf-16"', "utf-8; charset=utf-7"])(
    "WHR-11 refuses the charset %s",
    (charset) => {
      expect(isJsonInUtf8(`application/json; charset=${charset}`)).toBe(false);
    },
  );

  it("takes nothing but application/json, whatever follows, and never throws", () => {
    const parameter = fc.oneof(
      fc.constantFrom("charset=utf-8", "charset=UTF-8", "q=1", 'a="b"', "", "charset=latin1"),
      fc.string(),
    );
    const given = fc.tuple(
      fc.oneof(fc.constantFrom("application/json", "text/json", "Application/JSON"), fc.string()),
      fc.array(parameter, { maxLength: 3 }),
    );
    fc.assert(
      fc.property(given, ([type, parameters]) => {
        if (!isJsonInUtf8([type, ...parameters].join(";"))) return;
        expect(type.split(";")[0]?.trim().toLowerCase()).toBe("application/json");
        expect(parameters.join(";")).not.toMatch(/charset=(?!"?utf-8)/i);
      }),
      { numRuns: 1000 },
    );
  });
});

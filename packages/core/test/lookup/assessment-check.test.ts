import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assessmentProblem, sealJson } from "../../src/lookup/assessment-check.js";

describe("assessmentProblem", () => {
  it("takes exactly the objects with a score from 0 to 100", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.oneof(fc.double(), fc.jsonValue()), (value, score) => {
        const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
        const given = isObject ? { ...value, risk_score: score } : value;
        const isGood = isObject && typeof score === "number" && score >= 0 && score <= 100;
        expect(assessmentProblem(given, "email", "a@x.y") === undefined).toBe(isGood);
      }),
      { numRuns: 1000 },
    );
  });

  it("does not take an inherited score", () => {
    const value: unknown = Object.create({ risk_score: 5 });
    expect(assessmentProblem(value, "email", "a@x.y")).toBeDefined();
  });

  it.each<["ip" | "email", string, unknown]>([
    ["ip", "1.2.3.4", "1.2.3.5"],
    ["ip", "1.2.3.4", "::1.2.3.4"],
    ["ip", "1.2.3.4", null],
    ["ip", "1.2.3.4", ["1.2.3.4"]],
    ["email", "a@x.y", "b@x.y"],
    ["email", "a+b@x.y", "a b@x.y"],
    ["email", "a/b@x.y", "b@x.y"],
    ["email", "a@x.y", "a@x.yy"],
    ["email", "a@x.y", ""],
    ["email", "a@x.y", null],
    ["email", "a@x.y", ["a@x.y"]],
  ])("does not take an answer about another %s than %s: %o", (type, key, named) => {
    const value = { risk_score: 0, [type]: named };
    expect(assessmentProblem(value, type, key)).toBe(
      `expected an assessment of the requested ${type}`,
    );
  });

  it.each<["ip" | "email", string, string]>([
    ["ip", "1.2.3.4", "::ffff:1.2.3.4"],
    ["ip", "2001:db8::1", "2001:DB8:0::1"],
    ["email", "Ann@x.y", "ann@X.Y"],
    ["email", " ann@x.y", "ann@x.y"],
    ["email", "ann@b\u00fccher.de", "ann@xn--bcher-kva.de"],
    ["email", "no address", "no address"],
  ])("takes the %s %s in the form %s", (type, key, named) => {
    expect(assessmentProblem({ risk_score: 0, [type]: named }, type, key)).toBeUndefined();
  });

  it("compares only the identifier asked about", () => {
    const value = { ip: "1.2.3.5", email: "a@x.y", risk_score: 0 };
    expect(assessmentProblem(value, "email", "a@x.y")).toBeUndefined();
    expect(assessmentProblem({ risk_score: 0 }, "ip", "1.2.3.4")).toBeUndefined();
  });
});

describe("sealJson", () => {
  it("freezes all the way down and drops __proto__", () => {
    const text = '{"a":{"__proto__":{"b":1},"c":[{"\\u005f_proto__":1,"d":2}]},"__proto__":{}}';
    const sealed = sealJson(JSON.parse(text) as { a: { c: object[] } });
    expect(Object.keys(sealed)).toEqual(["a"]);
    expect(Object.keys(sealed.a)).toEqual(["c"]);
    expect(Object.keys(sealed.a.c[0] ?? {})).toEqual(["d"]);
    for (const value of [sealed, sealed.a, sealed.a.c, sealed.a.c[0]]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });

  it("seals a value of any depth", () => {
    const depth = 30_000;
    const value = JSON.parse("[".repeat(depth) + "]".repeat(depth)) as object;
    expect(Object.isFrozen(sealJson(value))).toBe(true);
  });
});

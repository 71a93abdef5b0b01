import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emailText, ipText } from "../../src/http/assessment-text.js";

const score = fc.double({ min: 0, max: 100, noNaN: true });
const members = fc.record(
  {
    risk_score: score,
    is_known_attacker: fc.boolean(),
    security_events_count: fc.nat(),
    high_risk_security_events_count: fc.nat(),
  },
  { requiredKeys: ["risk_score"] },
);

describe("emailText", () => {
  it("is what JSON would be, whatever the address", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), members, (email, assessment) => {
        const read = JSON.parse(emailText(email, assessment)) as object;
        expect(read).toMatchObject({ email, ...assessment, risk_score: assessment.risk_score + 0 });
        expect(Object.keys(read)).toHaveLength(8);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("ipText", () => {
  it("is what JSON would be, whatever the place", () => {
    const geo = fc.record(
      {
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        country_code: fc.constant("FRA"),
        city: fc.option(fc.string({ unit: "binary" })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom("1.2.3.4", "::1"), members, geo, (ip, assessment, ip_geo) => {
        const text = ipText(ip, { ...assessment, ip_geo, other: 1 });
        const read = JSON.parse(text) as Record<string, unknown>;
        expect(Object.keys(read)).toHaveLength(12);
        expect(read["ip_geo"]).toEqual(JSON.parse(JSON.stringify(ip_geo)));
        expect(read["ip_version"]).toBe(ip === "::1" ? 6 : 4);
      }),
      { numRuns: 1000 },
    );
  });
});

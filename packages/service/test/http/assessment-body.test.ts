import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emailBody, ipBody } from "../../src/http/assessment-body.js";
import { codePoint } from "../../../../tools/test/code-point.js";

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

/** Returns the body as a client parses it. */
function sent(body: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
}

describe("emailBody", () => {
  it("has the specified members in their order, whatever the address", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), members, (email, assessment) => {
        const read = sent(emailBody(email, { ...assessment, other: 1 }));
        expect(read).toMatchObject({ email, ...assessment, risk_score: assessment.risk_score + 0 });
        expect(Object.keys(read)).toEqual([
          "email",
          "risk_score",
          "is_known_attacker",
          "high_risk_security_events_count",
          "security_events_count",
          "is_disposable",
          "is_email_malformed",
          "is_email_harmful",
        ]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("ipBody", () => {
  it("has the specified members in their order, whatever the place", () => {
    const geo = fc.record(
      {
        latitude: fc.double({ min: -90, max: 90, noNaN: true }),
        country_code: fc.constant("FRA"),
        city: fc.option(fc.string({ unit: codePoint })),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom("1.2.3.4", "::1"), members, geo, (ip, assessment, ip_geo) => {
        const read = sent(ipBody(ip, { ...assessment, ip_geo: { ...ip_geo, asn: 1 }, other: 1 }));
        expect(Object.keys(read)).toEqual([
          "ip",
          "ip_version",
          "risk_score",
          "is_known_attacker",
          "security_events_count",
          "high_risk_security_events_count",
          "ip_geo",
          "is_datacenter",
          "is_vpn",
          "is_proxy",
          "is_private",
          "is_tor",
        ]);
        expect(read["ip_geo"]).toEqual(sent(ip_geo));
        expect(read["ip_version"]).toBe(ip === "::1" ? 6 : 4);
      }),
      { numRuns: 1000 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileConditions } from "../../src/rules/rule-conditions.js";
import { type RuleFacts, RuleSubject } from "../../src/rules/rule-facts.js";
import type { RuleConditions } from "../../src/rules/rule.js";

const holds = (when: RuleConditions, facts: Partial<RuleFacts>) =>
  compileConditions(when)(new RuleSubject({ score: null, ...facts }));
const ip = (members: object = {}) => ({ ip: { risk_score: 0, ...members } });
const inCountry = (code: unknown) => ip({ ip_geo: { country_code: code } });
const email = (members: object = {}) => ({ email: { risk_score: 0, ...members } });
const agent = (text: string | undefined) => ({ headers: { "user-agent": text } });
const at = (domain: string) => ({ address: `ada@${domain}` });

describe("a condition", () => {
  it.each<[string, RuleConditions, Partial<RuleFacts>, boolean | undefined]>([
    ["a network", { network: ["192.0.2.0/24"] }, { clientIp: "192.0.2.7" }, true],
    ["an address", { network: ["2001:db8::7"] }, { clientIp: "2001:DB8:0::7" }, true],
    ["another network", { network: ["192.0.2.0/24"] }, { clientIp: "198.51.100.7" }, false],
    ["a network without an IP address", { network: ["192.0.2.0/24"] }, email(), undefined],
    ["a network of a text", { network: ["::/0"] }, { clientIp: "unknown" }, undefined],
    ["a mailbox", { email: ["ada@example.com"] }, { address: "ada@example.com" }, true],
    [
      "a mailbox in another spelling",
      { email: ["a.da@gmail.com"] },
      { address: "ADA+x@Gmail.com" },
      true,
    ],
    ["a login that is not an email", { email: ["user-42"] }, { address: "user-42" }, true],
    ["another mailbox", { email: ["ada@example.com"] }, { address: "eve@example.com" }, false],
    [
      "a mailbox beside another one",
      { email: ["ada@example.com"] },
      { address: "ada@example.com <eve@example.org>" },
      undefined,
    ],
    ["a mailbox without an email", { email: ["ada@example.com"] }, ip(), undefined],
    ["a country, by three letters", { country: ["NLD"] }, inCountry("NLD"), true],
    ["a country, by two letters", { country: ["NL"] }, inCountry("NLD"), true],
    ["a country that a service names by two letters", { country: ["NLD"] }, inCountry("NL"), true],
    ["a country without codes by ISO", { country: ["XK"] }, inCountry("XKX"), true],
    ["another country", { country: ["NL", "BE"] }, inCountry("DEU"), false],
    ["a country that is not known", { country: ["NL"] }, ip({ ip_geo: {} }), undefined],
    ["a country that is no text", { country: ["NL"] }, inCountry(7), undefined],
    ["a country without an IP address", { country: ["NL"] }, email(), undefined],
    ["an unknown country", { countryUnknown: true }, ip({ ip_geo: {} }), true],
    ["an unknown country, and it is known", { countryUnknown: true }, inCountry("NLD"), false],
    ["a known country", { countryUnknown: false }, inCountry("NLD"), true],
    ["an unknown country without an assessment", { countryUnknown: true }, {}, undefined],
    ["an ASN", { asn: [64500, 64501] }, ip({ asn: 64501 }), true],
    ["another ASN", { asn: [64500] }, ip({ asn: 64501 }), false],
    ["an ASN that is not known", { asn: [64500] }, ip(), undefined],
    ["an unknown ASN", { asnUnknown: true }, ip(), true],
    ["a known ASN", { asnUnknown: false }, ip({ asn: 1 }), true],
    ["a flag by its short name", { flags: { all: ["tor"] } }, ip({ is_tor: true }), true],
    [
      "a flag of the email by its short name",
      { flags: { none: ["malformed"] } },
      email({ is_email_malformed: true }),
      false,
    ],
    ["a user agent", { userAgent: ["curl/*"] }, agent("curl/8.5.0"), true],
    ["a user agent in other letters", { userAgent: ["*HEADLESS*"] }, agent("A headless B"), true],
    ["another user agent", { userAgent: ["curl/*", "wget"] }, agent("Mozilla/5.0"), false],
    ["a pattern of the whole text", { userAgent: ["curl"] }, agent("curl/8.5.0"), false],
    ["no user agent", { userAgent: ["curl/*"] }, agent(undefined), false],
    ["a user agent without a request", { userAgent: ["curl/*"] }, {}, undefined],
    ["a header that is there", { header: { "X-App": true } }, { headers: { "x-app": "" } }, true],
    ["a header that is not there", { header: { "x-app": false } }, { headers: {} }, true],
    ["an inherited header", { header: { constructor: true } }, { headers: {} }, false],
    [
      "two headers, of which one differs",
      { header: { "x-app": ["1.*"], accept: false } },
      { headers: { "x-app": "1.2", accept: "*/*" } },
      false,
    ],
    [
      "a header that came twice",
      { header: { "x-app": ["a, b"] } },
      { headers: { "x-app": ["a", "b"] } },
      true,
    ],
    ["a header without a request", { header: { "x-app": false } }, {}, undefined],
    ["a velocity subject", { velocity: ["by.card", "asn"] }, { velocity: ["by.card"] }, true],
    ["another velocity subject", { velocity: ["mailbox"] }, { velocity: ["asn"] }, false],
    ["no subject over its limit", { velocity: ["mailbox"] }, { velocity: [] }, false],
    ["a velocity subject without a gate", { velocity: ["mailbox"] }, {}, undefined],
    ["a hosting network", { networkKind: ["datacenter", "vpn"] }, ip({ is_vpn: true }), true],
    ["a kind that is not known", { networkKind: ["datacenter", "vpn"] }, ip(), undefined],
    [
      "a kind that is known to be another",
      { networkKind: ["vpn"] },
      ip({ is_vpn: false, is_tor: true }),
      false,
    ],
    [
      "an access network",
      { networkKind: ["access"] },
      ip({ is_datacenter: false, is_vpn: false, is_proxy: false, is_tor: false }),
      true,
    ],
    [
      "a Tor exit as an access network",
      { networkKind: ["access"] },
      ip({ is_tor: true, is_vpn: false }),
      false,
    ],
    [
      "an access network, half known",
      { networkKind: ["access"] },
      ip({ is_vpn: false }),
      undefined,
    ],
    ["a known device", { device: ["known"] }, { device: "known" }, true],
    ["another device", { device: ["new", "revoked"] }, { device: "known" }, false],
    ["a device without `device`", { device: ["new"] }, {}, undefined],
    ["a domain", { domain: ["example.com"] }, at("example.com"), true],
    ["a domain in capitals", { domain: ["Example.com"] }, at("EXAMPLE.com"), true],
    ["a sub-domain", { domain: ["example.com"] }, at("mail.example.com"), true],
    ["a domain with the same end", { domain: ["example.com"] }, at("notexample.com"), false],
    ["a domain above", { domain: ["mail.example.com"] }, at("example.com"), false],
    [
      "a domain in another script",
      { domain: ["b\u00fccher.example"] },
      at("xn--bcher-kva.example"),
      true,
    ],
    ["a domain behind a comment", { domain: ["example.com"] }, at("example.com (hi)"), true],
    [
      "a domain that programs read in different ways",
      { domain: ["example.com"] },
      { address: "a@example.com <b@example.org>" },
      undefined,
    ],
    [
      "a domain of a text longer than an address",
      { domain: ["a.b"] },
      { address: `${"c".repeat(1_024)}@a.b` },
      undefined,
    ],
    ["a domain with blanks behind it", { domain: ["a.b"] }, at(`a.b${" ".repeat(2_000)}`), true],
    ["a domain in brackets", { domain: ["a.b"] }, at("[a.b]"), true],
    ["an address literal", { domain: ["[192.0.2.1]"] }, at("[192.0.2.1]"), true],
    ["an address literal of IPv6", { domain: ["[IPv6:2001:DB8::1]"] }, at("[2001:db8::1]"), true],
    ["a domain, and not a literal", { domain: ["a.b"] }, at("[192.0.2.1]"), false],
    ["a domain without an email", { domain: ["example.com"] }, ip(), undefined],
    ["a domain of a text without one", { domain: ["example.com"] }, { address: "ada" }, undefined],
    ["a domain of unknown age", { domainAgeUnknown: true }, email(), true],
    ["a domain of known age", { domainAgeUnknown: true }, email({ domain_age_days: 3 }), false],
    ["a domain age without an assessment", { domainAgeUnknown: true }, at("a.b"), undefined],
    ["a flag of the IP address", { flags: { all: ["is_tor"] } }, ip({ is_tor: true }), true],
    [
      "a flag of the email",
      { flags: { all: ["is_disposable"] } },
      email({ is_disposable: true }),
      true,
    ],
    [
      "a flag that either has",
      { flags: { all: ["is_known_attacker"] } },
      { ...ip({ is_known_attacker: false }), ...email({ is_known_attacker: true }) },
      true,
    ],
    [
      "all of two flags, and one is not set",
      { flags: { all: ["is_tor", "is_vpn"] } },
      ip({ is_tor: true, is_vpn: false }),
      false,
    ],
    [
      "any of two flags, and one is unknown",
      { flags: { any: ["is_tor", "is_vpn"] } },
      ip({ is_vpn: true }),
      true,
    ],
    [
      "any of two flags",
      { flags: { any: ["is_tor", "is_vpn"] } },
      ip({ is_tor: false }),
      undefined,
    ],
    ["none of the flags", { flags: { none: ["is_tor"] } }, ip({ is_tor: false }), true],
    ["none of the flags, and one is unknown", { flags: { none: ["is_tor"] } }, ip(), undefined],
    [
      "a combination",
      { flags: { all: ["is_datacenter"], none: ["is_vpn"] } },
      ip({ is_datacenter: true, is_vpn: false }),
      true,
    ],
    ["a score above", { scoreAbove: 30 }, { score: 30.5 }, true],
    ["a score that is not above", { scoreAbove: 30 }, { score: 30 }, false],
    ["a score at most", { scoreAtMost: 80 }, { score: 80 }, true],
    ["a score between", { scoreAbove: 30, scoreAtMost: 80 }, { score: 80.5 }, false],
    ["a score without one", { scoreAtMost: 80 }, { score: null }, undefined],
    ["a path", { path: ["/signup"] }, { path: "/signup?plan=free" }, true],
    ["another path", { path: ["/signup"] }, { path: "/login" }, false],
    ["a path that is not known", { path: ["/signup"] }, {}, undefined],
    ["the opposite", { not: { country: ["NL"] } }, inCountry("DEU"), true],
    ["the opposite of something unknown", { not: { country: ["NL"] } }, ip(), undefined],
    [
      "the opposite of two, one of which does not hold",
      { not: { country: ["NL"], scoreAbove: 30 } },
      { ...ip(), score: 10 },
      true,
    ],
    [
      "several, one of which does not hold, whatever is unknown",
      { country: ["NL"], scoreAbove: 30 },
      { ...ip(), score: 10 },
      false,
    ],
    ["several", { country: ["NL"], scoreAbove: 30 }, { ...inCountry("NLD"), score: 31 }, true],
  ])("asks for %s", (_, when, facts, expected) => {
    expect(holds(when, facts)).toBe(expected);
  });

  it("that is negated twice is itself", () => {
    const facts = fc.record({
      score: fc.option(fc.integer({ min: 0, max: 100 })),
      ip: fc.option(fc.constantFrom({ risk_score: 1 }, { risk_score: 1, asn: 64500 }), {
        nil: undefined,
      }),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const when: RuleConditions = { asn: [64500], scoreAbove: 50 };
        expect(holds({ not: { not: when } }, given)).toBe(holds(when, given));
      }),
    );
  });

  it("copes with assessments that are none", () => {
    const odd = { ip: { risk_score: 1, ip_geo: null, is_tor: "yes", asn: "1" } } as never;
    const when: RuleConditions = { country: ["NL"], asn: [1], flags: { all: ["is_tor"] } };
    expect(holds(when, odd)).toBeUndefined();
  });
});

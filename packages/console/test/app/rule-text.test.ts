import { describe, expect, it } from "vitest";
import { operatorRuleText, playbookText } from "../../src/app/rule-text.js";

describe("a playbook in words", () => {
  it.each<[string, object, object]>([
    [
      'After 3 events "Account brute force" from the same address within 10 minutes, block the addresses and accounts that attack for 1 hour.',
      { kinds: ["auth_bruteforce"], count: 3, windowMs: 600_000, per: "address" },
      { durationMs: 3_600_000, addresses: true, accounts: "acting" },
    ],
    [
      'After an event "Cross-site scripting or File inclusion", block the addresses and accounts that attack for 1 hour.',
      { kinds: ["xss", "lfi"] },
      {},
    ],
    [
      'If an incident "Security scan" is open and it has 5 events, block the addresses for 90 seconds.',
      { genres: ["http_scan"], count: 5 },
      { durationMs: 90_000, accounts: "none" },
    ],
    [
      "If the score of an account is above 80, block all accounts involved for 7 days.",
      { accountScoreAbove: 80 },
      { durationMs: 604_800_000, addresses: false, accounts: "all" },
    ],
    [
      'After 2 events "a, b, c or 2 more" from the same account within 1 minute, block the addresses and all accounts involved for 1 hour.',
      { kinds: ["a", "b", "c", "d", "e"], count: 2, windowMs: 60_000, per: "account" },
      { accounts: "all" },
    ],
  ])("is %s", (text, rule, response) => {
    expect(playbookText({ rule, response } as never)).toBe(text);
  });
});

describe("an operator rule in words", () => {
  it.each<[string, object]>([
    ["domain is example.com \u2192 flag", { domain: ["example.com"] }],
    [
      "address in 192.0.2.0/24 and email is ada@example.com \u2192 flag",
      { network: ["192.0.2.0/24"], email: ["ada@example.com"] },
    ],
    [
      "country is NL or BE and score above 30 and not (is_tor or is_vpn and network is AS1) \u2192 flag",
      {
        country: ["NL", "BE"],
        scoreAbove: 30,
        not: { flags: { any: ["is_tor", "is_vpn"] }, asn: [1] },
      },
    ],
    [
      "is_proxy and not is_tor and country is unknown and network is known \u2192 flag",
      { flags: { all: ["is_proxy"], none: ["is_tor"] }, countryUnknown: true, asnUnknown: false },
    ],
    [
      "age of the domain is known and score at most 9 \u2192 flag",
      { domainAgeUnknown: false, scoreAtMost: 9 },
    ],
  ])("is %s", (text, when) => {
    expect(operatorRuleText({ name: "one", when, outcome: "flag" })).toBe(text);
  });
});

import { describe, expect, it } from "vitest";
import { draftOfRule, ruleOfDraft, rulesIn } from "../../src/app/operator-rule-draft.js";

describe("an operator rule as rows", () => {
  it.each<[string, object]>([
    ["lists", { domain: ["a.example", "b.example"], network: ["192.0.2.0/24"], asn: [1, 64_500] }],
    ["scores and truths", { scoreAbove: 30, scoreAtMost: 99.5, countryUnknown: false }],
    ["flags", { flags: { all: ["is_tor"], any: ["is_vpn", "is_proxy"], none: ["is_private"] } }],
    [
      "what must not match",
      { email: ["ada@example.com"], not: { country: ["NL"], asnUnknown: true } },
    ],
  ])("is the same rule again: %s", (_, when) => {
    const rule = { name: "one", when, outcome: "flag" as const, note: "because" };
    expect(ruleOfDraft(draftOfRule(rule)!)).toEqual(rule);
  });

  it("joins rows with the same condition, and leaves wrong text to the service", () => {
    const rows = [
      { condition: "domain", value: " a.example, b.example ,", isNot: false },
      { condition: "domain", value: "c.example", isNot: false },
      { condition: "scoreAbove", value: "high", isNot: false },
    ] as const;
    expect(ruleOfDraft({ name: " one ", outcome: "allow", note: " ", rows })).toEqual({
      name: "one",
      outcome: "allow",
      when: { domain: ["a.example", "b.example", "c.example"], scoreAbove: "high" },
    });
  });

  it("cannot show conditions in several levels", () => {
    const when = { not: { not: { country: ["NL"] } } };
    expect(draftOfRule({ name: "one", when, outcome: "flag" })).toBeUndefined();
  });

  it.each([
    "{",
    "[]",
    '{"rules":{}}',
    '{"rules":[null]}',
    '{"rules":[{"name":"a","when":{"domain":"x"},"outcome":"flag"}]}',
    '{"rules":[{"name":"a","when":{"other":[]},"outcome":"flag"}]}',
    '{"rules":[{"name":"a","when":null,"outcome":"flag"}]}',
  ])("are not read from %s", (text) => {
    expect(rulesIn(text)).toBeUndefined();
  });

  it("are read from what the service accepts", () => {
    const rules = [{ name: "a", when: { not: { flags: { all: ["is_tor"] } } }, outcome: "flag" }];
    expect(rulesIn(JSON.stringify({ rules }))).toEqual(rules);
  });
});

import { describe, expect, it } from "vitest";
import { compileRules } from "../../src/rules/rule-set.js";
import type { OperatorRule } from "../../src/rules/rule.js";

describe("compileRules", () => {
  const rules: OperatorRule<string>[] = [
    { name: "ours", when: { domain: ["example.com"] }, outcome: "allow" },
    { name: "high", when: { scoreAbove: 50 }, outcome: "reject" },
    { name: "any", when: { scoreAtMost: 100 }, outcome: "flag" },
  ];
  const compiled = compileRules(rules);

  it("finds the first rule that holds", () => {
    expect(compiled.match({ score: 90, address: "a@example.com" })).toBe(rules.at(0));
    expect(compiled.match({ score: 90, address: "a@example.org" })).toBe(rules.at(1));
    expect(compiled.match({ score: 5 })).toBe(rules.at(2));
  });

  it("finds none where what they are about is unknown", () => {
    expect(compiled.match({ score: null })).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { readRuleOptions, RULE_DEFAULTS, type RuleOptions } from "../../src/events/rule-options.js";

describe("readRuleOptions", () => {
  it("gives the defaults, and each given number in its place", () => {
    expect(readRuleOptions()).toEqual(RULE_DEFAULTS);
    expect(readRuleOptions({ logins: { scanAccounts: 3 }, maxSubjects: 10 })).toEqual({
      ...RULE_DEFAULTS,
      logins: { ...RULE_DEFAULTS.logins, scanAccounts: 3 },
      maxSubjects: 10,
    });
  });

  it.each<object>([
    { logins: { bruteforceFailures: 0 } },
    { logins: { bruteforceFailures: 1001 } },
    { logins: { bruteforceFailures: "10" } },
    { logins: { ipv6Prefix: 96 } },
    { logins: { windowMs: Number.NaN } },
    { incidents: { accountScoreAbove: 101 } },
    { peaks: { warmUpMinutes: 61 } },
    { peaks: null },
    { logins: 5 },
    { incident: {} },
    { logins: { toString: 5 } },
    { maxSubjects: 1 },
  ])("refuses %j", (options) => {
    expect(() => readRuleOptions(options as RuleOptions)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});

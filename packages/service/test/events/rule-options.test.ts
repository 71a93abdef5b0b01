import { readOptions } from "@riskgate/core/adapter";
import { describe, expect, it } from "vitest";
import { readRuleOptions, RULE_DEFAULTS } from "../../src/events/rule-options.js";

const read = (rules?: object) => readOptions("createService", { rules }, readRuleOptions);

describe("readRuleOptions", () => {
  it("gives the defaults, and each given number in its place", () => {
    expect(read()).toEqual(RULE_DEFAULTS);
    expect(read({ logins: { scanAccounts: 3 }, maxSubjects: 10 })).toEqual({
      ...RULE_DEFAULTS,
      logins: { ...RULE_DEFAULTS.logins, scanAccounts: 3 },
      maxSubjects: 10,
    });
  });

  it("names the nearest setting for one that is misspelled", () => {
    expect(() => read({ logins: { scanacounts: 3 } })).toThrow(
      "`rules.logins.scanacounts`: unknown option; did you mean `scanAccounts`?",
    );
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
    expect(() => read(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

import { readOptions } from "@riskgate/core/adapter";
import { describe, expect, it } from "vitest";
import {
  readDetectionSettings,
  DETECTION_DEFAULTS,
} from "../../src/detection/detection-settings.js";

const read = (rules?: object) => readOptions("createService", { rules }, readDetectionSettings);

describe("readDetectionSettings", () => {
  it("gives the defaults, and each given number in its place", () => {
    expect(read()).toEqual(DETECTION_DEFAULTS);
    expect(read({ logins: { scanAccounts: 3 }, maxSubjects: 10 })).toEqual({
      ...DETECTION_DEFAULTS,
      logins: { ...DETECTION_DEFAULTS.logins, scanAccounts: 3 },
      maxSubjects: 10,
    });
  });

  it("names the nearest setting of an unknown one", () => {
    expect(() => read({ logins: { bruteForceFailure: 3 } })).toThrow(
      "`rules.logins.bruteForceFailure`: unknown option; did you mean `bruteforceFailures`?",
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
    { peaks: false },
    { logins: { ipv6Prefix: null } },
    { logins: { newLocationKm: -1 } },
    { incidents: { quietMs: 999 } },
    { peaks: { historyMinutes: 10 } },
    { logins: 5 },
    { incident: {} },
    { logins: { toString: 5 } },
    { maxSubjects: 1 },
  ])("refuses %j", (options) => {
    expect(() => read(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

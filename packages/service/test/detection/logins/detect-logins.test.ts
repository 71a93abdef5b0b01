import { describe, expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../src/detection/detection-settings.js";
import { detectLogins } from "../../../src/detection/logins/detect-logins.js";
import { readOutcome } from "../../../src/detection/logins/outcome.js";
import { windowsOf } from "../../support/detection-state.js";
import { SECOND, START } from "../../support/open-intake.js";

const context = {
  thresholds: DETECTION_DEFAULTS.logins,
  providerRules: true,
  locate: () => ({ geo: {}, isTor: false }),
};
const failures = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    readOutcome({ account: "ada@x.y", address: "8.8.8.8", success: false }, START + from + index),
  );

describe("detectLogins", () => {
  it("counts the outcomes of one report one after the other", () => {
    const { detected } = detectLogins(windowsOf(), "shop", failures(10), context);
    expect(detected.slice(0, 9)).toEqual(Array.from({ length: 9 }, () => []));
    expect(detected[9]).toMatchObject([{ kind: "auth_bruteforce" }]);
  });

  it("continues from the windows that it returned", () => {
    const { windows } = detectLogins(windowsOf(), "shop", failures(9), context);
    const next = failures(1, SECOND);
    const detect = (applicationId: string) =>
      detectLogins(windowsOf(windows), applicationId, next, context).detected;
    expect(detect("shop")).toMatchObject([[{ kind: "auth_bruteforce" }]]);
    expect(detect("another")).toEqual([[]]);
    // The first call changed nothing.
    expect(detect("shop")).toMatchObject([[{ kind: "auth_bruteforce" }]]);
  });

  it("leaves out an outcome that the application has dated and reported before", () => {
    const at = "2025-12-31T23:59:59.000000+00:00";
    const dated = readOutcome({ account: "a", address: "8.8.8.8", success: false, at }, START);
    const { detected } = detectLogins(windowsOf(), "shop", [dated, dated], context);
    expect(detected).toEqual([[], undefined]);
  });
});

import { describe, expect, it } from "vitest";
import { createErrorReport } from "../../src/base/error-report.js";
import { RiskGateError } from "../../src/base/errors.js";
import { warn } from "../../src/base/warning.js";
import { fakeClock, unhandledRejections } from "../support/fake-clock.js";
import { collectWarnings } from "../support/warnings.js";

describe("warn", () => {
  it("says each text once", async () => {
    const warnings = collectWarnings();
    warn("RISKGATE_UNSAFE_TRUST", "first");
    warn("RISKGATE_UNSAFE_TRUST", "first");
    warn("RISKGATE_BODY_NOT_PARSED", "second");
    expect(await warnings()).toEqual(["RISKGATE_UNSAFE_TRUST", "RISKGATE_BODY_NOT_PARSED"]);
  });

  it("R15 says a text again only after its quiet time", async () => {
    const pass = fakeClock();
    const warnings = collectWarnings();
    const say = (): void => warn("RISKGATE_UNREPORTED_ERROR", "again and again", 10_000);
    say();
    await pass(9_999);
    say();
    await pass(1);
    say();
    expect(await warnings()).toHaveLength(2);
  });
});

describe("createErrorReport", () => {
  const error = new RiskGateError("HANDLER_FAILED", "failed", { cause: new Error("a@x.y") });

  it("tells the hook each error", () => {
    const told: unknown[] = [];
    const report = createErrorReport((given) => told.push(given));
    report(error);
    report(error);
    expect(told).toEqual([error, error]);
  });

  it("R15 warns without a hook, by code alone and once in ten seconds", async () => {
    const texts: string[] = [];
    const listener = (warning: Error): void => void texts.push(warning.message);
    process.on("warning", listener);
    const warnings = collectWarnings();
    const report = createErrorReport(undefined);
    for (let n = 0; n < 100; n++) report(error);
    expect(await warnings()).toEqual(["RISKGATE_UNREPORTED_ERROR"]);
    process.off("warning", listener);
    expect(texts.join()).toContain("HANDLER_FAILED");
    expect(texts.join()).not.toContain("a@x.y");
  });

  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("hook");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("hook");
      },
    ],
  ])("R26 survives a hook that %s", async (_, hook) => {
    const unhandled = unhandledRejections();
    createErrorReport(hook)(error);
    expect(await unhandled()).toBe(0);
  });
});

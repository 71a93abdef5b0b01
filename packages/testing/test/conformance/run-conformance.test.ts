import { RiskGateError } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import type { Deviation, RuleLevel } from "../../src/conformance/conformance-check.js";
import { conformanceCheck } from "../../src/conformance/conformance-check.js";
import { type ConformanceOptions, runConformance } from "../../src/conformance/run-conformance.js";

const deviation: Deviation = { sent: "a", expected: "b", received: "c" };

const check = (id: string, level: RuleLevel, found: readonly Deviation[] | Error) =>
  conformanceCheck<string>({
    id,
    level,
    title: `does ${id}`,
    remedy: `do ${id}`,
    async examine() {
      if (found instanceof Error) throw found;
      return { deviations: found };
    },
  });

const ground = check("XYZ-1", "must", []);
const network = new RiskGateError("NETWORK", "nobody is there");

async function statesOf(
  contract: readonly ReturnType<typeof check>[],
  options?: ConformanceOptions,
): Promise<string[]> {
  const states: string[] = [];
  for await (const { id, state } of runConformance(contract, "target", options)) {
    states.push(`${id} ${state}`);
  }
  return states;
}

describe("runConformance", () => {
  const failing = check("XYZ-2", "must", [deviation]);
  const contract = [ground, failing, check("XYZ-3", "should", [deviation])];

  it("fails a must, and warns of a should", async () => {
    expect(await statesOf(contract)).toEqual(["XYZ-1 passed", "XYZ-2 failed", "XYZ-3 warned"]);
  });

  it("fails a should as well when it is strict", async () => {
    expect(await statesOf(contract, { strict: true })).toContain("XYZ-3 failed");
  });

  it("runs the first case, and those that are named", async () => {
    const only = ["XYZ-3"];
    expect(await statesOf(contract, { only })).toEqual(["XYZ-1 passed", "XYZ-3 warned"]);
  });

  it("refuses the name of a case that does not exist", async () => {
    await expect(statesOf(contract, { only: ["XYZ-9"] })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      hint: "The cases of this contract are XYZ-1 to XYZ-3",
    });
  });

  it("skips all others where the first case fails", async () => {
    const unfounded = [check("XYZ-0", "must", [deviation]), ...contract.slice(1)];
    expect(await statesOf(unfounded)).toEqual(["XYZ-0 failed", "XYZ-2 skipped", "XYZ-3 skipped"]);
  });

  it("rejects where nothing is there, and fails a case after which nothing is there", async () => {
    await expect(statesOf([check("XYZ-1", "must", network)])).rejects.toBe(network);
    const gone = [ground, check("XYZ-2", "must", network), check("XYZ-3", "should", [])];
    expect(await statesOf(gone)).toEqual(["XYZ-1 passed", "XYZ-2 failed", "XYZ-3 passed"]);
  });

  it("has checks that any test runner can run", async () => {
    await expect(ground.run("target")).resolves.toBeUndefined();
    await expect(failing.run("target")).rejects.toThrow("sent a: expected b, received c");
  });
});

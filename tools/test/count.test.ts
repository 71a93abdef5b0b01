import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../workspace.mjs";

describe("count", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "riskgate-count-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["a good run", [7, 0, 2, 1], 0, 0, "7 passed, 0 failed, 3 skipped", 0],
    ["failed tests", [7, 2, 0, 0], 1, 0, "7 passed, 2 failed, 0 skipped", 1],
    ["a file that did not load", [7, 0, 0, 0], 1, 0, "7 passed, 1 failed, 0 skipped", 1],
    ["failed steps", [7, 0, 0, 0], 0, 2, "7 passed, 2 failed, 0 skipped", 1],
    ["a suite without a report", undefined, 124, 0, "0 passed, 1 failed, 0 skipped", 1],
  ])("tells of %s", (_, counts, testStatus, failedSteps, line, status) => {
    const report = join(folder, counts ? `${line}.json` : "missing.json");
    if (counts) {
      const [numPassedTests, numFailedTests, numPendingTests, numTodoTests] = counts;
      const numbers = { numPassedTests, numFailedTests, numPendingTests, numTodoTests };
      const suite = { ...numbers, testResults: [] };
      writeFileSync(report, JSON.stringify(suite));
    }
    const run = count(report, testStatus, failedSteps);
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status, stdout: `${line}\n` });
  });

  it("names what failed and why, before the count", () => {
    const report = join(folder, "failures.json");
    const suite = {
      numPassedTests: 1,
      numFailedTests: 1,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [
        {
          name: "a.test.ts",
          status: "failed",
          message: "",
          assertionResults: [
            { fullName: "a does", status: "passed", failureMessages: [] },
            { fullName: "a keeps", status: "failed", failureMessages: ["{ seed: 7 }\n  at x"] },
          ],
        },
        {
          name: "b.test.ts",
          status: "failed",
          message: "Cannot find module",
          assertionResults: [],
        },
      ],
    };
    writeFileSync(report, JSON.stringify(suite));
    expect(
      count(report, 1, 0)
        .stdout.split("\n")
        .filter((line) => line !== ""),
    ).toEqual([
      "FAILED a.test.ts: a keeps",
      "  { seed: 7 }",
      "    at x",
      "FAILED b.test.ts",
      "  Cannot find module",
      "1 passed, 1 failed, 0 skipped",
    ]);
  });
});

function count(report: string, testStatus: number, failedSteps: number) {
  const script = join(root, "tools/count.mjs");
  const options = [report, String(testStatus), String(failedSteps)];
  return spawnSync(process.execPath, [script, ...options], { encoding: "utf8" });
}

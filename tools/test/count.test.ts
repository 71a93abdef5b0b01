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
  ])("reports %s", (_, counts, testStatus, failedSteps, line, status) => {
    const report = join(folder, counts ? `${line}.json` : "missing.json");
    if (counts) {
      const [numPassedTests, numFailedTests, numPendingTests, numTodoTests] = counts;
      const numbers = { numPassedTests, numFailedTests, numPendingTests, numTodoTests };
      const suite = { ...numbers, testResults: [] };
      writeFileSync(report, JSON.stringify(suite));
    }
    const run = count(failedSteps, [report, testStatus]);
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status, stdout: `${line}\n` });
  });

  it("adds the tests of several runs", () => {
    const reportOf = (name: string, numPassedTests: number, numFailedTests: number) => {
      const report = join(folder, name);
      const numbers = { numPassedTests, numFailedTests, numPendingTests: 1, numTodoTests: 0 };
      writeFileSync(report, JSON.stringify({ ...numbers, testResults: [] }));
      return report;
    };
    const quick = reportOf("quick.json", 7, 1);
    const full = reportOf("full.json", 3, 0);
    expect(count(1, [quick, 1], [full, 0])).toMatchObject({
      status: 1,
      stdout: "10 passed, 2 failed, 2 skipped\n",
    });
    expect(count(0, [full, 0], [full, 0])).toMatchObject({
      status: 0,
      stdout: "6 passed, 0 failed, 2 skipped\n",
    });
    // Half of the suite did not end.
    const missing = join(folder, "missing.json");
    expect(count(0, [full, 0], [missing, 124]).stdout).toBe("3 passed, 1 failed, 1 skipped\n");
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
      count(0, [report, 1])
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

function count(failedSteps: number, ...runs: [report: string, exitCode: number][]) {
  const script = join(root, "tools/count.mjs");
  const options = [failedSteps, ...runs.flat()].map(String);
  return spawnSync(process.execPath, [script, ...options], { encoding: "utf8" });
}

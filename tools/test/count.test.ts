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
      const suite = { numPassedTests, numFailedTests, numPendingTests, numTodoTests };
      writeFileSync(report, JSON.stringify(suite));
    }
    const run = spawnSync(
      process.execPath,
      [join(root, "tools/count.mjs"), report, String(testStatus), String(failedSteps)],
      { encoding: "utf8" },
    );
    expect({ status: run.status, stdout: run.stdout }).toEqual({ status, stdout: `${line}\n` });
  });
});

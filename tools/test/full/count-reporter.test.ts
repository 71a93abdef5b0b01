import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { root } from "../../workspace.mjs";
import { runNode } from "../run-node.js";

const BROKEN = `
  describe("a suite", () => {
    beforeAll(() => { throw new Error("its set-up broke"); });
    it("never starts", () => {});
  });
  it("waits", () => new Promise((resolve) => {
    setTimeout(() => { throw new Error("thrown outside"); }, 1);
    setTimeout(resolve, 50);
  }));
`;

it("reports the error of a set-up and of no test at all", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "riskgate-count-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "broken.test.ts"), BROKEN);
  const report = join(folder, "report.json");
  const reporter = `--reporter=${join(root, "tools/count-reporter.mjs")}`;
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = [reporter, `--outputFile.json=${report}`, "--globals", `--root=${folder}`];
  await runNode([vitest, "run", ...options], folder, 100_000);
  const { stdout } = await runNode([join(root, "tools/count.mjs"), "0", report, "1"], root);
  expect(stdout).toMatch(/FAILED .*broken\.test\.ts: a suite\n {2}Error: its set-up broke/);
  expect(stdout).toMatch(/FAILED outside of every test\n {2}Error: thrown outside/);
  expect(stdout).toMatch(/1 passed, 1 failed, 1 skipped\n$/);
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../workspace.mjs";
import { withLock } from "../lock.mjs";
import { runNode } from "./run-node.js";

/** Reads a number, lets the others come between, and writes one more. */
const COUNT_UP = `
  import { readFileSync, writeFileSync } from "node:fs";
  import { withLock } from ${JSON.stringify(join(root, "tools/lock.mjs"))};
  withLock("lock", () => {
    const count = Number(readFileSync("count", "utf8"));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    writeFileSync("count", String(count + 1));
  });`;

describe("withLock", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "riskgate-lock-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("lets processes work one after the other", async () => {
    writeFileSync(join(folder, "count"), "0");
    const run = () => runNode(["--input-type=module", "--eval", COUNT_UP], folder);
    const runs = await Promise.all([run(), run(), run(), run()]);
    expect(runs.map(({ stderr }) => stderr).join("")).toBe("");
    expect(readFileSync(join(folder, "count"), "utf8")).toBe("4");
    expect(readdirSync(folder)).toEqual(["count"]);
  });

  it("takes over the lock of a process that is gone", () => {
    const { pid } = spawnSync(process.execPath, ["--eval", ""]);
    const lock = join(folder, "lock");
    writeFileSync(lock, String(pid));
    expect(withLock(lock, () => readFileSync(lock, "utf8"))).toBe(String(process.pid));
  });

  it("gives the lock back when the work throws", () => {
    const fail = () => {
      throw new Error("for the test");
    };
    expect(() => withLock(join(folder, "lock"), fail)).toThrow("for the test");
    expect(readdirSync(folder)).toEqual([]);
  });
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../workspace.mjs";
import { withLock } from "../lock.mjs";
import { runNode } from "./run-node.js";

/** Reads a number, pauses so that others could interfere, and writes one more. */
const COUNT_UP = `
  import { readFileSync, writeFileSync } from "node:fs";
  import { withLock } from ${JSON.stringify(join(root, "tools/lock.mjs"))};
  await withLock("lock", async () => {
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

  it("runs processes one after the other", async () => {
    writeFileSync(join(folder, "count"), "0");
    const run = () => runNode(["--input-type=module", "--eval", COUNT_UP], folder);
    const runs = await Promise.all([run(), run(), run(), run()]);
    expect(runs.map(({ stderr }) => stderr).join("")).toBe("");
    expect(readFileSync(join(folder, "count"), "utf8")).toBe("4");
    expect(readdirSync(folder)).toEqual(["count"]);
  });

  it("takes over the lock of a process that has ended", async () => {
    const { pid } = spawnSync(process.execPath, ["--eval", ""]);
    const lock = join(folder, "lock");
    writeFileSync(lock, String(pid));
    const owner = await withLock(lock, () => Promise.resolve(readFileSync(lock, "utf8")));
    expect(owner).toBe(String(process.pid));
  });

  it("releases the lock if the work fails", async () => {
    const fail = () => Promise.reject(new Error("for the test"));
    await expect(withLock(join(folder, "lock"), fail)).rejects.toThrow("for the test");
    expect(readdirSync(folder)).toEqual([]);
  });
});

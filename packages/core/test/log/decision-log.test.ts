import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { mkdir, readdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createDecisionLog, type DecisionLogOptions } from "../../src/log/create-decision-log.js";
import type { DroppedDecisions } from "../../src/log/log-options.js";
import { parseDecisionRecord } from "../../src/log/read-record.js";
import { thrown } from "../support/caught.js";
import { EMAIL, madeDecision, SECRET } from "../support/made-decision.js";

const scratch = mkdtempSync(join(tmpdir(), "riskgate-log-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const MIB = 1_048_576;
let files = 0;
const freshPath = () => join(scratch, String(files++), "decisions.jsonl");
const linesOf = (path: string) => readFileSync(path, "utf8").split("\n").slice(0, -1);
const open = (options: Partial<DecisionLogOptions> & { path: string }) =>
  createDecisionLog({ secret: SECRET, flushTimeoutMs: 60_000, ...options });

describe("createDecisionLog", () => {
  it("writes each decision as one line that reads as a record", async () => {
    const path = freshPath();
    const log = open({ path });
    for (let score = 0; score < 500; score++) log.record(madeDecision({ score: score % 100 }));
    await log.close();
    const records = linesOf(path).map(parseDecisionRecord);
    expect(records.map((record) => record?.score)).toEqual(
      Array.from({ length: 500 }, (_, score) => score % 100),
    );
    expect(log.stats()).toEqual({ queued: 0, queuedBytes: 0, written: 500, dropped: 0 });
  });

  it("writes by itself, in time", async () => {
    const path = freshPath();
    const log = open({ path, intervalMs: 1 });
    log.record(madeDecision());
    await expect.poll(() => log.stats().written).toBe(1);
    expect(readFileSync(path, "utf8")).not.toContain(EMAIL);
    await log.close();
  });

  it("makes a file that only its owner reads", async () => {
    const path = freshPath();
    const log = open({ path });
    log.record(madeDecision());
    await log.close();
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it("goes on in a file that is there, also behind half a line", async () => {
    const path = freshPath();
    await mkdir(join(path, ".."), { recursive: true });
    writeFileSync(path, '{"v":1,"at":"20');
    const log = open({ path });
    log.record(madeDecision());
    await log.close();
    const [half = "", whole = ""] = linesOf(path);
    expect([half, parseDecisionRecord(whole)?.score]).toEqual(['{"v":1,"at":"20', 55]);
  });

  it("follows when another program moves the file away", async () => {
    const path = freshPath();
    const log = open({ path });
    log.record(madeDecision({ score: 1 }));
    await log.flush();
    await rename(path, `${path}.moved`);
    log.record(madeDecision({ score: 2 }));
    await log.close();
    expect(linesOf(`${path}.moved`).length).toBe(1);
    expect(parseDecisionRecord(linesOf(path).at(0)!)?.score).toBe(2);
  });

  it("puts full files away, and removes the oldest", async () => {
    const path = freshPath();
    const log = open({ path, maxFileBytes: 1024 * 1024, keepFiles: 2, maxQueued: 100_000 });
    for (let n = 0; n < 12_000; n++) {
      log.record(madeDecision({ score: n % 100 }));
      if (n % 4_000 === 0) await log.flush();
    }
    await log.close();
    const names = (await readdir(join(path, ".."))).toSorted();
    expect(names).toEqual([
      ".gitignore",
      "decisions.jsonl",
      "decisions.jsonl.1",
      "decisions.jsonl.2",
    ]);
    const all = [`${path}.2`, `${path}.1`, path].flatMap(linesOf).map(parseDecisionRecord);
    const last = all.slice(-200).map((record) => record?.score);
    expect(last).toEqual(Array.from({ length: 200 }, (_, n) => n % 100));
    expect(all).not.toContain(undefined);
    for (const name of names) {
      expect(statSync(join(path, "..", name)).size).toBeLessThanOrEqual(1024 * 1024);
    }
  });

  it.skipIf(!existsSync("/dev/full"))(
    "reports a full disk, and drops only what it must",
    async () => {
      const errors: string[] = [];
      const drops: DroppedDecisions[] = [];
      const log = open({
        path: "/dev/full",
        onError: ({ code }) => errors.push(code),
        onDrop: (dropped) => drops.push(dropped),
      });
      log.record(madeDecision());
      await log.flush();
      expect(log.stats()).toMatchObject({ queued: 1, written: 0, dropped: 0 });
      await log.close();
      expect(log.stats()).toMatchObject({ queued: 0, dropped: 1 });
      expect(new Set(errors)).toEqual(new Set(["STORE_FAILED"]));
      expect(drops).toMatchObject([{ decisions: 1, error: { code: "STORE_FAILED" } }]);
    },
  );

  it.skipIf(process.platform === "win32")("writes through no link that others plant", async () => {
    const path = freshPath();
    await mkdir(dirname(path), { recursive: true });
    const victim = join(dirname(path), "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, path);
    const errors: string[] = [];
    const log = open({ path, onError: ({ message }) => errors.push(message), onDrop() {} });
    log.record(madeDecision());
    await log.close();
    expect(errors).toContain(`${path} is a symbolic link`);
    expect(readFileSync(victim, "utf8")).toBe("precious");
  });

  it.skipIf(process.platform === "win32")("rotates over planted links", async () => {
    const path = freshPath();
    await mkdir(dirname(path), { recursive: true });
    const victim = join(dirname(path), "victim");
    writeFileSync(victim, "precious");
    for (const number of [1, 2]) symlinkSync(victim, `${path}.${number}`);
    const log = open({ path, maxFileBytes: MIB, keepFiles: 2 });
    for (let count = 0; count < 3; count++) {
      writeFileSync(path, `${"x".repeat(MIB)}\n`);
      log.record(madeDecision());
      await log.flush();
    }
    await log.close();
    expect(readFileSync(victim, "utf8")).toBe("precious");
    for (const file of [path, `${path}.1`, `${path}.2`]) {
      expect(lstatSync(file).isFile()).toBe(true);
    }
  });

  it.each<[string, object]>([
    ["no path", { path: undefined }],
    ["an empty path", { path: "" }],
    ["no secret", { secret: undefined }],
    ["a short secret", { secret: "short" }],
    ["an unknown option", { file: "x" }],
    ["a file of no bytes", { maxFileBytes: 0 }],
    ["a queue of none", { maxQueued: 0 }],
  ])("refuses %s", (_, options) => {
    const given = { path: "x", secret: SECRET, ...options };
    expect(thrown(() => createDecisionLog(given)).code).toBe("CONFIG_INVALID");
  });
});

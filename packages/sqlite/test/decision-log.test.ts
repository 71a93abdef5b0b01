import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createGate, isRiskGateError } from "@riskgate/core";
import { createIdentityDigest } from "@riskgate/core/log";
import { parseDecisionRecord } from "@riskgate/core/internal";
import { createFakeLookup } from "@riskgate/testing";
import Libsql from "libsql";
import { afterAll, describe, expect, it } from "vitest";
import { createSqliteDecisionLog, type SqliteDecisionLogOptions } from "../src/decision-log.js";

const SECRET = "a secret of the log, 32 bytes long";
const lookup = createFakeLookup({ "eve@x.com": { risk_score: 75 } });
const digest = createIdentityDigest({ secret: SECRET });

const scratch = mkdtempSync(join(tmpdir(), "riskgate-decisions-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let files = 0;
const freshPath = () => join(scratch, String(files++), "decisions.db");
const open = (path: string, options: Partial<SqliteDecisionLogOptions> = {}) =>
  createSqliteDecisionLog({ path, secret: SECRET, ...options });

function rowsOf(path: string): Record<string, unknown>[] {
  const database = new Libsql(path);
  try {
    return database.prepare("select * from decisions order by id").all() as Record<
      string,
      unknown
    >[];
  } finally {
    database.close();
  }
}

describe("createSqliteDecisionLog", () => {
  it("keeps each decision as a row with its record", async () => {
    const path = freshPath();
    const log = open(path);
    const gate = createGate({ lookup, log });
    const beforeMs = Date.now();
    await gate.decide({ email: "eve@x.com" }, { route: "POST /signup" });
    await gate.decide({ ip: "8.8.8.8" });
    await log.close();
    const [eve, other] = rowsOf(path);
    expect(eve).toMatchObject({
      route: "POST /signup",
      outcome: "flag",
      score: 75,
      ip_digest: null,
      email_digest: digest.email("eve@x.com"),
    });
    expect(other).toMatchObject({ route: null, ip_digest: digest.ip("8.8.8.8") });
    const record = parseDecisionRecord(String(eve?.["record"]));
    expect(record).toMatchObject({ outcome: "flag", score: 75 });
    expect(eve?.["at_ms"]).toBe(Date.parse(record?.at ?? ""));
    expect(eve?.["at_ms"]).toBeGreaterThanOrEqual(beforeMs);
    expect(log.stats()).toMatchObject({ written: 2, dropped: 0 });
  });

  it.skipIf(process.platform === "win32")("writes through no link that others plant", async () => {
    const path = freshPath();
    mkdirSync(dirname(path), { recursive: true });
    const victim = join(dirname(path), "victim");
    writeFileSync(victim, "");
    symlinkSync(victim, path);
    const errors: string[] = [];
    const log = open(path, { onError: ({ message }) => errors.push(message), onDrop() {} });
    await createGate({ lookup, log }).decide({ ip: "8.8.8.8" });
    await log.close();
    expect(errors).toContain(`${path} is a symbolic link`);
    expect(statSync(victim).size).toBe(0);
  });

  it("makes files that only their owner reads", async () => {
    const path = freshPath();
    const log = open(path);
    await createGate({ lookup, log }).decide({ email: "eve@x.com" });
    await log.flush();
    for (const name of [path, `${path}-wal`]) expect(statSync(name).mode & 0o077).toBe(0);
    await log.close();
  });

  it("goes on in a file that is there, and shares it with another log", async () => {
    const path = freshPath();
    const logs = [open(path, { intervalMs: 1 }), open(path, { intervalMs: 1 })];
    for (let n = 0; n < 100; n++) {
      for (const log of logs) await createGate({ lookup, log }).decide({ email: "eve@x.com" });
    }
    await expect
      .poll(() => logs.map((log) => log.stats().written + log.stats().dropped))
      .toEqual([100, 100]);
    for (const log of logs) await log.close();
    const again = open(path);
    await createGate({ lookup, log: again }).decide({ email: "eve@x.com" });
    await again.close();
    expect(rowsOf(path).length).toBe(201);
  });

  it("removes what is older than `keepDays`", async () => {
    const path = freshPath();
    const log = open(path, { keepDays: 1 });
    const gate = createGate({ lookup, log });
    await gate.decide({ email: "eve@x.com" });
    await log.flush();
    const database = new Libsql(path);
    database.exec("update decisions set at_ms = at_ms - 2 * 86400000");
    database.close();
    await gate.decide({ ip: "8.8.8.8" });
    await log.close();
    expect(rowsOf(path).map((row) => row["email_digest"])).toEqual([null]);
  });

  it("leaves alone what a later version wrote, and says so", async () => {
    const path = freshPath();
    await open(path).close();
    const first = open(path);
    await createGate({ lookup, log: first }).decide({ email: "eve@x.com" });
    await first.close();
    const database = new Libsql(path);
    database.pragma("user_version = 99");
    database.close();
    const errors: unknown[] = [];
    const log = open(path, { onError: (error) => errors.push(error), onDrop() {} });
    await createGate({ lookup, log }).decide({ email: "eve@x.com" });
    await log.close();
    expect(errors.filter(isRiskGateError).map(({ code }) => code)).toContain("STORE_FAILED");
    expect(rowsOf(path).length).toBe(1);
    expect(log.stats()).toMatchObject({ written: 0, dropped: 1 });
  });

  it("keeps what cannot be written, until it can", async () => {
    const path = freshPath();
    const first = open(path);
    await createGate({ lookup, log: first }).decide({ email: "eve@x.com" });
    await first.close();
    const holder = new Libsql(path);
    holder.exec("begin exclusive");
    const log = open(path, { onError() {} });
    await createGate({ lookup, log }).decide({ ip: "8.8.8.8" });
    await log.flush();
    expect(log.stats()).toMatchObject({ queued: 1, written: 0 });
    holder.exec("rollback");
    holder.close();
    await log.flush();
    await log.close();
    expect(log.stats()).toMatchObject({ queued: 0, written: 1, dropped: 0 });
    expect(rowsOf(path).length).toBe(2);
  });

  it.each<[string, object]>([
    ["no path", { path: undefined }],
    ["a short secret", { secret: "short" }],
    ["an unknown option", { directory: "x" }],
    ["no days", { keepDays: 0 }],
  ])("refuses %s", (_, options) => {
    const make = () => createSqliteDecisionLog({ path: "x", secret: SECRET, ...options });
    expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createGate } from "@riskgate/core";
import { createFakeLookup } from "@riskgate/testing";
import Libsql from "libsql";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { plainEnvironment } from "../../../tools/test/run-node.js";
import { singleUseContract } from "../../../tools/test/single-use-contract.js";
import { createSqliteDecisionLog } from "../src/decision-log.js";
import {
  createSqliteSingleUseStore,
  type SqliteSingleUseStoreOptions,
} from "../src/single-use-store.js";

const PROGRAM = fileURLToPath(new URL("support/tokens.mjs", import.meta.url));
const LIMITS = { network: "n", ttlMs: 360_000, maxUnsolved: 200, maxTotal: 5_000 };

const scratch = mkdtempSync(join(tmpdir(), "riskgate-tokens-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let files = 0;
const freshPath = () => join(scratch, String(files++), "tokens.db");

function open(path: string, options: Partial<SqliteSingleUseStoreOptions> = {}) {
  const store = createSqliteSingleUseStore({ path, timeoutMs: 20_000, ...options });
  onTestFinished(async () => store.close());
  return store;
}

function inFile<Result>(path: string, work: (database: Libsql.Database) => Result): Result {
  const database = new Libsql(path, { timeout: 20_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const rowsOf = (path: string): Record<string, unknown>[] =>
  inFile(path, (database) =>
    database.prepare("select * from challenge_tokens order by nonce").all(),
  ) as Record<string, unknown>[];

/** Uses the tokens in another process; resolves to those that it was the first to use. */
async function startProcess(path: string, tokens: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ path, tokens })], {
    env: plainEnvironment(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close");
  await expect.poll(() => output).toBe("ready\n");
  return async (): Promise<string[]> => {
    child.stdin.end("go");
    await ended;
    return JSON.parse(output.slice("ready\n".length)) as string[];
  };
}

describe("createSqliteSingleUseStore", () => {
  it.each(singleUseContract)("$id $title", async (check) => {
    const running = check.run({
      name: "SQLite",
      async open() {
        const path = freshPath();
        return {
          store: open(path),
          other: open(path),
          advance: async (ms) => pause(ms),
          close: async () => {},
        };
      },
    });
    await expect(running).resolves.toBeUndefined();
  });

  it("CHL-03 accepts each of 100 tokens for one of two processes", async () => {
    const path = freshPath();
    const tokens = Array.from({ length: 100 }, (_, n) => `token-${n}`);
    const processes = await Promise.all([startProcess(path, tokens), startProcess(path, tokens)]);
    const first = await Promise.all(processes.map(async (go) => go()));
    expect(first.flat().toSorted()).toEqual(tokens.toSorted());
  });

  it("CHL-03 remembers a token after a restart, as long as it can be valid", async () => {
    const path = freshPath();
    const token = { ...LIMITS, nonce: "a" };
    const beforeMs = Date.now();
    const first = open(path);
    expect(await first.use(token)).toBe("new");
    await first.solve(token);
    await first.close();
    expect(await open(path).use(token)).toBe("used");
    const [row] = rowsOf(path);
    expect(row).toMatchObject({ network: "n", nonce: "a", is_solved: 1 });
    expect(row?.["ends_ms"]).toBeGreaterThanOrEqual(beforeMs + 360_000);
    expect(row?.["ends_ms"]).toBeLessThanOrEqual(Date.now() + 360_000);
  });

  it("CHL-11 removes expired tokens, at most 100 at once", async () => {
    const path = freshPath();
    const store = open(path);
    await store.use({ ...LIMITS, nonce: "a" });
    inFile(path, (database) => {
      const add = database.prepare("insert into challenge_tokens values ('old', ?, 0, 1)");
      database.transaction(() => {
        for (let n = 0; n < 250; n++) add.run(`old-${n}`);
      })();
    });
    const left = [];
    for (const nonce of ["b", "c", "d"]) {
      await store.use({ ...LIMITS, nonce });
      left.push(rowsOf(path).filter(({ network }) => network === "old").length);
    }
    expect(left).toEqual([150, 50, 0]);
  });

  it("CHL-09 accepts no token while another process blocks the file, and waits in between", async () => {
    const path = freshPath();
    await open(path).use({ ...LIMITS, nonce: "a" });
    const holder = new Libsql(path);
    onTestFinished(() => void holder.close());
    holder.exec("begin immediate");
    const token = { ...LIMITS, nonce: "b" };
    await expect(open(path, { timeoutMs: 20 }).use(token)).rejects.toMatchObject({
      code: "SQLITE_BUSY",
    });
    const waiting = open(path).use(token);
    await pause(30);
    holder.exec("rollback");
    expect(await waiting).toBe("new");
  });

  it("shares a file with a decision log, and lets only its owner read it", async () => {
    const path = freshPath();
    const store = open(path);
    expect(await store.use({ ...LIMITS, nonce: "a" })).toBe("new");
    const log = createSqliteDecisionLog({ path, secret: "x".repeat(32) });
    await createGate({ lookup: createFakeLookup({}), log }).decide({ ip: "8.8.8.8" });
    await log.close();
    expect(log.stats()).toMatchObject({ written: 1, dropped: 0 });
    expect(await store.use({ ...LIMITS, nonce: "a" })).toBe("used");
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it.skipIf(process.platform === "win32")("follows no link that others plant", async () => {
    const path = freshPath();
    mkdirSync(dirname(path), { recursive: true });
    const victim = join(dirname(path), "victim");
    writeFileSync(victim, "");
    symlinkSync(victim, path);
    const using = open(path).use({ ...LIMITS, nonce: "a" });
    await expect(using).rejects.toMatchObject({ message: `${path} is a symbolic link` });
    expect(statSync(victim).size).toBe(0);
  });

  it.each<[string, object]>([
    ["no path", {}],
    ["an empty path", { path: "" }],
    ["an unknown option", { path: "x", table: "tokens" }],
  ])("refuses %s", (_, options) => {
    const make = () => createSqliteSingleUseStore(options as SqliteSingleUseStoreOptions);
    expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, temporaryDatabase } from "../../../../../tools/test/postgres.js";
import { runCommand, startCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";

const scratch = scratchDirectory();
const TOKEN = "administration-token-1";
const LAST = "Press Ctrl-C to stop.";

/** Starts `riskgate serve`, and returns what it printed, by the words in front of two blanks. */
async function start(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { child, line, ended } = startCommand(["serve", "--port", "0", ...args], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  while (lines.at(-1) !== LAST) lines.push(await line());
  const fields = new Map(lines.map((one) => one.split(/ {2,}/) as [string, string | undefined]));
  const next = lines.find((one) => one.startsWith("Next, "));
  return { fields, next, stop: async () => (child.kill("SIGTERM"), ended) };
}

const newDirectory = (): string => mkdtempSync(join(scratch.path, "data-"));

describe("riskgate serve", () => {
  it("prints the place of the token, and a next step that works, until it is done", async () => {
    const dataDir = join(newDirectory(), "it's new");
    const first = await start(["--data-dir", dataDir]);
    expect(first.fields.get("Administration token")).toBe(
      `in ${join(dataDir, "admin.json")}, as "token"`,
    );
    const quoted = `'${dataDir.replace("'", `'\\''`)}'`;
    expect(first.next).toBe(
      `Next, create an application: riskgate app create Shop --data-dir ${quoted}`,
    );
    const created = await runCommand(["app", "create", "Shop", "--data-dir", dataDir]);
    expect(created).toMatchObject({ status: 0, stderr: "" });
    await first.stop();
    const second = await start(["--data-dir", dataDir]);
    expect(second.fields.get("Administration token")).toContain("admin.json");
    expect(second.next).toBeUndefined();
    expect(await second.stop()).toMatchObject({ status: 0, stderr: "" });
  });

  it("names the source of a token that was given, and never shows it", async () => {
    const dataDir = newDirectory();
    const first = await start([], { RISKGATE_ADMIN_TOKEN: TOKEN, RISKGATE_DATA_DIR: dataDir });
    expect(first.fields.get("Administration token")).toBe("that of RISKGATE_ADMIN_TOKEN");
    expect(first.next).toBe("Next, create an application: riskgate app create Shop");
    expect((await first.stop()).stdout).not.toContain(TOKEN);
    const file = join(scratch.path, "token");
    writeFileSync(file, TOKEN);
    const second = await start(["--sandbox", "--admin-token-file", file]);
    expect(second.fields.get("Administration token")).toBe(`that of ${file}`);
    expect(second.next).toBeUndefined();
    expect((await second.stop()).stdout).not.toContain(TOKEN);
  });

  it("says that addresses score 0 without feeds", async () => {
    const feeds = newDirectory();
    writeFileSync(join(feeds, "tor.txt"), "192.0.2.0/24\n");
    const without = await start(["--data-dir", newDirectory()]);
    expect(without.fields.get("Feeds")).toMatch(/^none, so public addresses score 0 .*feeds init/);
    await without.stop();
    const given = await start(["--data-dir", newDirectory(), "--feeds-dir", feeds]);
    expect(given.fields.has("Feeds")).toBe(false);
    await given.stop();
  });

  it("prints the token of a sandbox", async () => {
    const { fields, next, stop } = await start(["--sandbox"]);
    expect(fields.get("Administration token")).toMatch(/^[0-9a-f]{48}$/);
    expect(next).toBeUndefined();
    await stop();
  });

  it.skipIf(!hasPostgres)("names the file beside a database (no server: skipped)", async () => {
    const env = {
      RISKGATE_DATABASE_URL: await temporaryDatabase(),
      RISKGATE_DATA_DIR: newDirectory(),
    };
    const first = await start([], env);
    expect(first.fields.get("Administration token")).toContain("admin.json");
    expect(first.next).toBe("Next, create an application: riskgate app create Shop");
    // The file is that of the first process.
    const second = await start([], env);
    expect(second.fields.has("Administration token")).toBe(false);
    expect(second.next).toBeUndefined();
    await Promise.all([first.stop(), second.stop()]);
  });
});

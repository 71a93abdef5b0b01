import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonLines, runCommand, startCommand } from "../../support/run-command.js";
import { scratchDirectory } from "../../support/scratch.js";

const SERVER =
  process.env["RISKGATE_TEST_POSTGRES"] ??
  `postgres://${userInfo().username}@127.0.0.1:5432/postgres`;

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const hasPostgres = await onServer("select 1").then(
  () => true,
  () => false,
);

/** Environment with an empty database that goes with the test. */
async function withDatabase(): Promise<{ readonly RISKGATE_DATABASE_URL: string }> {
  const name = `riskgate_test_${randomBytes(6).toString("hex")}`;
  await onServer(`create database ${name}`);
  onTestFinished(() => onServer(`drop database ${name} with (force)`));
  return { RISKGATE_DATABASE_URL: Object.assign(new URL(SERVER), { pathname: `/${name}` }).href };
}

const scratch = scratchDirectory();

describe.skipIf(!hasPostgres)(
  hasPostgres ? "riskgate db" : "riskgate db (no PostgreSQL: skipped)",
  { timeout: 90_000 },
  () => {
    it("copies a data directory, on which the service then goes on", async () => {
      const env = await withDatabase();
      const dataDir = mkdtempSync(join(scratch.path, "data-"));
      const filled = await runCommand(["app", "create", "Shop", "--data-dir", dataDir, "--json"]);
      const { application, key } = jsonLines<{ application: { id: string }; key: string }>(
        filled.stdout,
      ).at(0)!;

      const before = await runCommand(["db", "status", "--json"], { env });
      expect(jsonLines(before.stdout)).toMatchObject([{ migrations: [] }]);
      const copied = await runCommand(["db", "copy", "--data-dir", dataDir, "--json"], { env });
      expect(copied.status).toBe(0);
      expect(jsonLines(copied.stdout)).toMatchObject([{ applications: 1, api_keys: 1 }]);
      const again = await runCommand(["db", "copy", "--data-dir", dataDir], { env });
      expect(again.status).toBe(2);
      expect(again.stderr).toContain("the database is not empty");

      const addressDir = mkdtempSync(join(scratch.path, "address-"));
      const args = ["serve", "--port", "0", "--json"];
      const place = { ...env, RISKGATE_DATA_DIR: addressDir };
      const { child, line, ended } = startCommand(args, { env: place });
      onTestFinished(() => void child.kill("SIGKILL"));
      const { url } = JSON.parse(await line()) as { url: string };
      const headers = { "x-api-key": key };
      expect((await fetch(`${url}/v1/ips/8.8.8.8`, { headers })).status).toBe(200);
      const listed = await runCommand(["app", "list", "--data-dir", addressDir, "--json"]);
      expect(jsonLines(listed.stdout)).toMatchObject([{ applications: [{ id: application.id }] }]);
      child.kill("SIGTERM");
      expect(await ended).toMatchObject({ status: 0 });
      // A directory that is named comes before the database of the environment.
      const both = await runCommand([
        "serve",
        "--data-dir",
        dataDir,
        "--database",
        "postgres://h/n",
      ]);
      expect(both).toMatchObject({ status: 2, stderr: expect.stringContaining("given both") });
      const status = await runCommand(["db", "migrate", "--json"], { env });
      expect(jsonLines(status.stdout)).toMatchObject([
        { pending: [], tables: { applications: 1 } },
      ]);
      const shown = await runCommand(["app", "show", application.id, "--json"], { env });
      expect(jsonLines(shown.stdout)).toMatchObject([{ application: { name: "Shop" } }]);
    });

    it("leaves the address of the first of several services in one directory", async () => {
      const env = { ...(await withDatabase()), RISKGATE_DATA_DIR: join(scratch.path, "shared") };
      const file = join(env.RISKGATE_DATA_DIR, "admin.json");
      const start = async () => {
        const command = startCommand(["serve", "--port", "0", "--json"], { env });
        onTestFinished(() => void command.child.kill("SIGKILL"));
        return {
          ...command,
          ...(JSON.parse(await command.line()) as { url: string; adminUrl: string }),
        };
      };
      const stop = async ({ child, ended }: Awaited<ReturnType<typeof start>>) => {
        child.kill("SIGTERM");
        return ended;
      };
      const left = () => JSON.parse(readFileSync(file, "utf8")) as { url: string; baseUrl: string };

      const first = await start();
      const second = await start();
      expect(left()).toMatchObject({ url: first.adminUrl, baseUrl: first.url });
      const { stderr } = await stop(second);
      expect(stderr).toContain("admin.json belongs to another running service");
      expect(left()).toMatchObject({ url: first.adminUrl, baseUrl: first.url });

      first.child.kill("SIGKILL");
      await first.ended;
      const third = await start();
      expect(left().url).toBe(third.adminUrl);
      expect(await stop(third)).toMatchObject({ status: 0, stderr: "" });
      expect(existsSync(file)).toBe(false);
    });
  },
);

describe("riskgate db", () => {
  it.each([
    [["db", "status"], "the database is missing"],
    [
      ["db", "status", "--database", "mysql://h/x"],
      "Write it as postgres://user@host:5432/name, and",
    ],
    [["db", "status", "--database", "postgres://a:hunter2@h/x"], "without a password"],
    [["serve", "--database", "postgres://a:hunter2@h/x"], "without a password"],
    [["serve", "--database", "postgres://a@h/x?password=hunter2"], "without a password"],
  ])("refuses %j with one line and exit code 2", async (args, message) => {
    const { status, stdout, stderr } = await runCommand(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("hunter2");
  });
});

import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shortIds } from "../../src/admin/short-id.js";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";
import { startService } from "../support/start-service.js";

const scratch = scratchDirectory();

const LISTS = [
  ["app"],
  ["events"],
  ["incidents"],
  ["deliveries"],
  ["blocks"],
  ["playbooks"],
  ["rules"],
] as const;

const LONG = "a.very.long.name.of.an.account.that.somebody.chose@subdomain.example.com";
const LONG_IP = "2001:db8:85a3:1234:5678:8a2e:370:7334";

/** Starts a service whose lists all have long values. */
async function openService() {
  const { client, env } = await startService(mkdtempSync(join(scratch.path, "data-")));
  const { application } = await client.call("POST /applications", {
    body: {
      name: `A shop ${"with a long name ".repeat(6)}`,
      webhookUrl: `https://app.example/${LONG}`,
    },
  });
  const parts = { id: application.id };
  await client.call("POST /applications/{id}/playbooks", {
    parts,
    body: {
      name: "Block addresses for an hour",
      rule: { kinds: ["auth_bruteforce", "auth_scan_real_accounts", "sql_injection"], count: 3 },
      response: { durationMs: 3_600_000 },
    },
  });
  const rules = [{ name: "ours", outcome: "allow", when: { asn: [64_500, 64_501] }, note: LONG }];
  await client.call("PUT /rules", { body: { rules } as never });
  for (const kind of ["auth_bruteforce", "sql_injection"]) {
    await client.call("POST /applications/{id}/events", {
      parts,
      body: [
        {
          event_kind: kind,
          ips: [LONG_IP],
          application_account_account_keys: [{ name: "email", value: LONG }],
        },
      ],
    });
  }
  const note = "x".repeat(100);
  await client.call("POST /blocks", { body: { ips: [LONG_IP], accounts: [LONG], note } });
  const run = (args: readonly string[], isTerminal?: true) =>
    runCommand(args, { env, ...(isTerminal && { isTerminal }) });
  return { run, client, applicationId: application.id };
}

describe("a list", () => {
  it("fits 120 columns, and 80 columns of a terminal", async () => {
    const { run } = await openService();
    for (const list of LISTS) {
      const wide = await run([...list, "list"]);
      const narrow = await run([...list, "list"], true);
      const [head, ...rows] = wide.stdout.split("\n").slice(0, -1);
      expect(head).toMatch(/^(?:ID|NAME|TARGET) /);
      if (list[0] !== "deliveries") expect(rows).not.toEqual([]);
      expect(Math.max(...wide.stdout.split("\n").map((line) => line.length))).toBeLessThan(121);
      expect(Math.max(...narrow.stdout.split("\n").map((line) => line.length))).toBeLessThan(81);
      expect(narrow.stdout.split("\n")).toHaveLength(rows.length + 2);
    }
  });

  it("shows times in milliseconds, whole at 80 columns too", async () => {
    const { run } = await openService();
    for (const list of ["events", "incidents"]) {
      const { stdout } = await run([list, "list"], true);
      expect(stdout).toMatch(/ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /);
      expect(stdout).not.toContain("+00:00");
    }
  });

  it("shows ids that other commands accept", async () => {
    const { run, applicationId } = await openService();
    for (const [list] of LISTS.filter(
      ([name]) => !["rules", "deliveries", "blocks"].includes(name),
    )) {
      const { stdout } = await run([list, "list"]);
      const [, id = ""] = /\n([0-9a-f]{8}) /.exec(stdout) ?? [];
      expect(id).toHaveLength(8);
      const args = list === "playbooks" ? ["playbooks", "dry-run", id] : [list, "show", id];
      const shown = await run(args);
      expect(shown).toMatchObject({ status: 0, stderr: "" });
      if (list !== "playbooks")
        expect(shown.stdout).toMatch(new RegExp(`^ID +${id}[0-9a-f]{16,24}\n`));
    }
    const start = applicationId.slice(0, 8);
    const filtered = await run(["events", "list", "--app", start, "--json"]);
    expect(JSON.parse(filtered.stdout)).toHaveProperty("events.length", 2);
    expect((await run(["events", "list", "--app", applicationId, "--json"])).stdout).toBe(
      filtered.stdout,
    );
  });

  it("is not searched for less than four digits, or for an unknown id", async () => {
    const { run, applicationId } = await openService();
    for (const id of [applicationId.slice(0, 3), "0123456789"]) {
      const { status, stderr } = await run(["app", "show", id]);
      expect(status).toBe(2);
      expect(stderr).toContain(`the service has no application ${id} (CONFIG_INVALID)`);
    }
  });

  it("shows feeds within 120 columns", async () => {
    const dir = mkdtempSync(join(scratch.path, "feeds-"));
    writeFileSync(join(dir, `tor-${"x".repeat(100)}.txt`), "192.0.2.1\n");
    const { stdout } = await runCommand(["feeds", "list", "--feeds-dir", dir]);
    expect(stdout).toContain(" tor ");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(121);
  });
});

describe("shortIds", () => {
  it("adds digits until ids differ", () => {
    const [one, other] = ["0123456789abcdef", "0123456789bbcdef"];
    expect(shortIds([one])).toEqual(["01234567"]);
    expect(shortIds([one, other])).toEqual(["0123456789a", "0123456789b"]);
    expect(shortIds(["e1", "e1"])).toEqual(["e1", "e1"]);
  });
});

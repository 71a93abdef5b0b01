import { join } from "node:path";
import { createService } from "@riskgate/service";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const TOKEN = "admin-token-of-the-tests";
const GOOD = {
  rules: [
    { name: "no Tor", when: { flags: { all: ["is_tor"] } }, outcome: "reject", note: "abuse" },
    { name: "ours", when: { domain: ["example.com"] }, outcome: "allow" },
  ],
};
const BAD = '{ "rules": [\n  { "name": "x", "when": { "country": ["XX"] }, "outcome": "deny" } ] }';

describe("rules check", () => {
  it("says that nothing is wrong", async () => {
    const path = scratch.file("good.json", JSON.stringify(GOOD));
    const { status, stdout } = await runCommand(["rules", "check", path]);
    expect([status, stdout]).toEqual([0, "2 rules, no problems\n"]);
  });

  it("says every mistake with its line and column", async () => {
    const path = scratch.file("bad.json", BAD);
    const { status, stdout } = await runCommand(["rules", "check", path]);
    expect(status).toBe(1);
    expect(stdout.replaceAll(path, "bad.json")).toMatch(
      /^bad\.json:2:40: \/rules\/0\/when\/country\/0: expected a country code .*, given "XX"\nbad\.json:2:60: \/rules\/0\/outcome: expected one of .*, given "deny"\n$/,
    );
  });

  it("reads standard input, and prints JSON", async () => {
    const { status, stdout } = await runCommand(["rules", "check", "--json"], { input: "{}" });
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      rules: 0,
      problems: [
        {
          pointer: "/rules",
          reason: "expected a list of 0 to 1000 items, given nothing",
          line: 1,
          column: 1,
        },
      ],
    });
  });

  it("checks as a service does", async () => {
    const when = { path: ["/signup"] };
    const rules = JSON.stringify({ rules: [{ name: "path", when, outcome: "flag" }] });
    expect((await runCommand(["rules", "check"], { input: rules })).status).toBe(0);
    const { status, stdout } = await runCommand(["rules", "check", "--service"], { input: rules });
    expect(status).toBe(1);
    expect(stdout).toMatch(/when\/path: a lookup has no path/);
  });

  it("says which file cannot be read", async () => {
    const { status, stderr } = await runCommand(["rules", "check", "nowhere.json"]);
    expect(status).toBe(2);
    expect(stderr).toContain("the file nowhere.json cannot be read: it does not exist");
  });
});

describe("rules of a service", () => {
  let services = 0;
  async function served() {
    const service = await createService({
      dataDir: join(scratch.path, String(++services)),
      adminToken: TOKEN,
    });
    onTestFinished(() => service.close());
    const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
    const env = { RISKGATE_ADMIN_URL: adminUrl, RISKGATE_ADMIN_TOKEN: TOKEN };
    return (args: string[], input = "") => runCommand(["rules", ...args], { env, input });
  }

  it("are set and listed", async () => {
    const run = await served();
    expect((await run(["list"])).stdout).toBe("NAME  OUTCOME  WHEN  NOTE\n");
    const set = await run(["set"], JSON.stringify(GOOD));
    expect([set.status, set.stdout]).toEqual([0, "2 rules are in use\n"]);
    expect(JSON.parse((await run(["list", "--json"])).stdout)).toEqual(GOOD);
    expect((await run(["list"])).stdout).toMatch(
      /^NAME .*\nno Tor {2}reject {3}\{"flags":\{"all":\["is_tor"\]\}\} {2}abuse\nours .*\n$/,
    );
  });

  it("stay where a file has a mistake, which is not sent", async () => {
    const run = await served();
    await run(["set"], JSON.stringify(GOOD));
    const { status, stderr } = await run(["set"], BAD);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^-:2:40: .*\n-:2:60: .*\nriskgate: the rules have 2 problems, and nothing/,
    );
    expect(stderr).toContain("(CONFIG_INVALID)\nCorrect them until `riskgate rules check");
    expect(stderr).toMatch(/#config_invalid\n$/);
    const inJson = await run(["set", "--json"], BAD);
    expect(JSON.parse(inJson.stderr)).toMatchObject({ error: { code: "CONFIG_INVALID" } });
    expect(JSON.parse((await run(["list", "--json"])).stdout)).toEqual(GOOD);
  });

  it("are listed whole, however many", async () => {
    const run = await served();
    const domain = Array.from({ length: 5_000 }, (_, index) => `d${index}.example.com`);
    const rules = [{ name: "many", when: { domain }, outcome: "flag" }];
    await run(["set"], JSON.stringify({ rules }));
    expect(JSON.parse((await run(["list", "--json"])).stdout)).toEqual({ rules });
  });
});

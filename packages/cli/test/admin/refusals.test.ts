import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deadUrl } from "../support/receiver.js";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";
import { startService } from "../support/start-service.js";

/** What the service itself refuses, in the words of whoever typed the command. */

const scratch = scratchDirectory();

const SHORT = scratch.file("token", "fifteen-letters\n");

/** A service with one application, and the commands that administer it. */
async function open(settings: object = {}) {
  const { client, env } = await startService(mkdtempSync(join(scratch.path, "data-")));
  const { application } = await client.call("POST /applications", {
    body: { name: "Shop", ...settings },
  });
  const { id } = application;
  const run = (...args: string[]) =>
    runCommand(
      args.map((arg) => (arg === "ID" ? id : arg)),
      { env },
    );
  return { client, id, run };
}

/** Where nothing listens. */
const webhook = async () => ({
  webhookUrl: await deadUrl(),
  allowedDestinations: ["127.0.0.1"],
});

describe("a test payload", () => {
  it("is refused for an application without webhook URL", async () => {
    const { id, run } = await open();
    const { status, stderr } = await run("trigger", "test");
    expect(status).toBe(1);
    expect(stderr).toContain(`application ${id} receives no test payload: it has no webhook URL`);
    expect(stderr).toContain(`\nSet it: riskgate app set ${id} --webhook-url URL\n`);
  });

  it("is refused for one that is off", async () => {
    const { client, id, run } = await open(await webhook());
    await client.call("POST /applications/{id}/disable", { parts: { id } });
    const { status, stderr } = await run("trigger", "test");
    expect(status).toBe(1);
    expect(stderr).toContain("it is off (disabled by an operator)");
    expect(stderr).toContain(`riskgate app enable ${id}`);
  });

  it("is refused for one that receives other types, with an advice that works", async () => {
    const { id, run } = await open({ ...(await webhook()), payloadTypes: ["pulse"] });
    const { status, stderr } = await run("trigger", "test");
    expect(status).toBe(1);
    expect(stderr).toContain("its payload types do not include test");
    const [, advice = ""] = /\nAdd it: riskgate (.+)\n/.exec(stderr) ?? [];
    expect(advice).toBe(`app set ${id} --payload-type pulse --payload-type test`);
    expect(await run(...advice.split(" "))).toMatchObject({ status: 0 });
    expect(await run("trigger", "test")).toMatchObject({ status: 0 });
  });

  it("is refused for an application that is not there", async () => {
    const { run } = await open();
    const { status, stderr } = await run("trigger", "test", "--app", "nope");
    expect(status).toBe(2);
    expect(stderr).toContain("the service has no application nope");
  });
});

describe("the file of a playbook", () => {
  it.each([
    [
      { kinds: ["xss", "auth_brutforce"] },
      /file\.json: `rule\.kinds\[1\]` is "auth_brutforce", and must be one of .*did you mean auth_bruteforce\?/,
    ],
    [{ kinds: ["xss"], per: "adress" }, /`rule\.per` is "adress", and .*did you mean address\?/],
    [{ kinds: ["xss"], count: 0 }, /`rule\.count` is 0, and must be a number from 1 to 1000/],
    [
      { kinds: ["xss"], cont: 2 },
      /file\.json: `rule` only takes `rule\.kinds`, .*; did you mean `rule\.count`\?/,
    ],
    [{ kinds: "xss" }, /file\.json: `rule\.kinds` is "xss", and must be a list/],
  ])("is named with what is wrong with %j", async (rule, message) => {
    const { id, run } = await open();
    const file = scratch.file("file.json", JSON.stringify({ name: "Block", rule }));
    for (const args of [
      ["add", id, file],
      ["dry-run", "--app", id, "--file", file],
    ]) {
      const { status, stdout, stderr } = await run("playbooks", ...args);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toMatch(message);
      expect(stderr).toContain("\nCorrect the file; nothing was done\n");
    }
  });
});

describe("an option that is refused", () => {
  it.each<[string[], number, string]>([
    [["app", "set", "ID", "--allow", "127.0.0.1/99"], 2, "--allow <cidr>: "],
    [["app", "create", "Shop", "--payload-type", "pulses"], 2, "Did you mean pulse?"],
    [["app", "set", "ID", "--event-kind", "auth_brutforce"], 2, "Did you mean auth_bruteforce?"],
    [
      ["app", "set", "ID", "--incident-genre", "x"],
      2,
      "--incident-genre <genre>: expected one of ",
    ],
    [["app", "set", "ID", "--webhook-url", "ftp://ada:pass@a.example"], 2, '"ftp://...@a.example"'],
    [["events", "list", "--ip", "300.1.1.1"], 2, "--ip <address>: "],
    [
      ["app", "set", "ID", "--environment", "x".repeat(65)],
      1,
      "--environment must be text of 1 to",
    ],
    [["app", "create", "x".repeat(129)], 1, "name must be text of 1 to 128"],
    [
      ["app", "set", "ID", "--webhook-url", "http://127.0.0.1:4000/"],
      1,
      "Give --allow 127.0.0.0/8 as well",
    ],
  ])("is named: %j", async (args, code, message) => {
    const { run } = await open();
    const { status, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/allowedDestinations|webhookUrl|Check the id/);
    expect(status).toBe(code);
  });

  it("is named where thresholds cross", async () => {
    const log = scratch.file("decisions.jsonl", "");
    const thresholds = ["--reject-above", "30", "--flag-above", "70"];
    const { status, stderr } = await runCommand(["rehearse", "--log", log, ...thresholds]);
    expect(stderr).toContain("--flag-above must be at most --reject-above, which is 30, given 70");
    expect(status).toBe(2);
  });

  it.each<[string[], string]>([
    [["--webhook-url", "http://127.0.0.1:4000/"], "Give --allow 127.0.0.0/8 as well"],
    [["--webhook-url", "http://10.0.0.1/"], "Give --allow 10.0.0.1 as well"],
    [["--allow", "127.0.0.1/99"], "--allow <cidr>: expected an address or a CIDR"],
    [["--admin-token-file", SHORT], "in the file of --admin-token-file, found less than 16 bytes"],
    [["--metrics-token-file", SHORT], "of --metrics-token-file, found less than 16 bytes"],
  ])("is named by `serve --sandbox` with exit code 2: %j", async (args, message) => {
    const serve = ["serve", "--sandbox", "--port", "0"];
    const { status, stdout, stderr } = await runCommand([...serve, ...args]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/allowedDestinations|webhookUrl|adminToken|metricsToken/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });
});

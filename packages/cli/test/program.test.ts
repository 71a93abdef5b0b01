import { readFileSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/program.js";
import { runCli } from "../src/run-cli.js";
import { createTerminal } from "../src/terminal/terminal.js";
import { EXIT, EXIT_MEANINGS } from "../src/terminal/exit-code.js";
import { runCommand } from "./support/run-command.js";
import { scratchDirectory } from "./support/scratch.js";

const scratch = scratchDirectory();

/** A process with a terminal, whose output is kept. */
function fakeTerminal(env: Record<string, string>, isTTY: boolean) {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  for (const stream of Object.values(streams)) Object.assign(stream, { isTTY, columns: 100 });
  const terminal = createTerminal({
    env,
    stdin: Readable.from([]),
    ...streams,
    once: process.once.bind(process),
    exit: () => {
      throw new Error("for the test");
    },
  });
  const textOf = (stream: PassThrough): string => String(stream.read() ?? "");
  return {
    terminal,
    shown: () => textOf(streams.stdout),
    told: () => textOf(streams.stderr),
  };
}

function commandsOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(commandsOf)];
}

const { terminal } = fakeTerminal({}, false);
const all = commandsOf(createProgram(terminal, () => {}));
const pathOf = (command: Command): string[] =>
  command.parent ? [...pathOf(command.parent), command.name()] : [];
const leaves = all
  .filter((command) => command.commands.length === 0 && command.name() !== "help")
  .map(pathOf);

describe("riskgate", () => {
  it("has every command of its documents", () => {
    const names = all.at(0)!.commands.map((command) => command.name());
    for (const name of "serve lookup send listen sign verify feeds app deliveries doctor".split(
      " ",
    )) {
      expect(names).toContain(name);
    }
  });

  it.each(leaves)("has a help with examples for %s %s", async (...path) => {
    const { terminal, shown } = fakeTerminal({}, false);
    expect(await runCli([...path.filter(Boolean), "--help"], terminal)).toBe(0);
    const help = shown();
    expect(help).toMatch(/^Usage: riskgate /);
    expect(help).toMatch(/\nExamples:\n {2}# .+\n {2}\$ riskgate .+/);
    // Ids are those of an application, or of anything else, in full.
    for (const [id] of help.matchAll(/\b(?=\d*[a-f])[0-9a-f]{6,}\b/g)) {
      expect([24, 32]).toContain(id.length);
    }
    // What it prints is a program for the shell.
    if (path[0] !== "completion") expect(help).toContain("--json");
  });

  it("has every help within 80 columns", () => {
    for (const command of all) {
      let help = "";
      command.configureOutput({
        ...command.configureOutput(),
        writeOut: (text) => (help += text),
        getOutHelpWidth: () => 80,
      });
      command.outputHelp();
      expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
  });

  describe("--env-file", () => {
    const sign = (file: string, env: Record<string, string> = {}) =>
      runCommand(["sign", "--env-file", file, "-"], { input: "[]", env });

    it("adds the variables of a file, before or behind the command", async () => {
      const file = scratch.file("variables", "RISKGATE_SIGNING_SECRET='secret'\n");
      const { stdout } = await runCommand(["sign", "-"], {
        input: "[]",
        env: { RISKGATE_SIGNING_SECRET: "secret" },
      });
      expect(stdout).toMatch(/[0-9a-f]{64}/);
      expect(await sign(file)).toMatchObject({ status: 0, stdout });
      expect(await runCommand(["--env-file", file, "sign", "-"], { input: "[]" })).toMatchObject({
        status: 0,
        stdout,
      });
    });

    it("leaves those that are set as they are", async () => {
      const file = scratch.file("variables", "RISKGATE_SIGNING_SECRET=another\n");
      const set = { RISKGATE_SIGNING_SECRET: "secret" };
      const { stdout } = await sign(file, set);
      expect((await sign(scratch.file("none", ""), set)).stdout).toBe(stdout);
    });

    it("is refused where the file cannot be read", async () => {
      const { status, stderr } = await sign("/nowhere/.env");
      expect(status).toBe(2);
      expect(stderr).toContain("--env-file /nowhere/.env cannot be read: it does not exist");
    });
  });

  it.each([
    ["no command", []],
    ["an unknown command", ["bogus"]],
    ["an unknown option", ["sign", "--bogus"]],
    ["too many arguments", ["sign", "a", "b"]],
  ])("has exit code 2 for %s, and shows help on standard error", async (_, args) => {
    const { status, stdout, stderr } = await runCommand(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(/--help/);
  });

  it.each([
    ["help serv", /unknown command 'serv' \(CONFIG_INVALID\)\nDid you mean .*serve/],
    ["help nope", /unknown command 'nope'/],
    ["help app crate", /unknown command 'crate' \(CONFIG_INVALID\)\nDid you mean create/],
    ["app help crate", /unknown command 'crate' \(CONFIG_INVALID\)\nDid you mean create/],
    ["help sign body.json", /'sign' has no subcommand 'body.json'/],
    ["nope --help", /unknown command 'nope'/],
    ["-h serv", /unknown command 'serv' \(CONFIG_INVALID\)\nDid you mean .*serve/],
    ["app crate --help", /unknown command 'crate' \(CONFIG_INVALID\)\nDid you mean create/],
    ["app -h crate --yes", /unknown command 'crate' \(CONFIG_INVALID\)\nDid you mean create/],
    ["rehearse --log a.jsonl digst --help", /too many arguments/],
    [
      "init --url http://127.0.0.1:8080",
      /'--url' \(CONFIG_INVALID\)\nDid you mean --base-url\? `riskgate init --help`/,
    ],
    [
      "lookup ip 8.8.8.8 --data-dir data",
      /'--data-dir' \(CONFIG_INVALID\)\n`riskgate lookup ip --help`/,
    ],
    ["doctor --base-url=http://127.0.0.1:8080", /\nDid you mean --url or --admin-url\? /],
    [
      "lookup ip 192.0.2.1 --base-url x",
      / \(CONFIG_INVALID\)\nDid you mean --url or --admin-url\? /,
    ],
    ["conformance lookup --base-url x", /required option '--url <url>'/],
    ["app list --url x", / \(CONFIG_INVALID\)\nDid you mean --admin-url\? /],
    ["init --secret-fil x", /'--secret-fil' \(CONFIG_INVALID\)\nDid you mean --secret-file\? /],
    ["help \u001b[2J", /unknown command '\\u001b\[2J'/],
  ])("refuses `%s` with exit code 2, and names what is near", async (args, expected) => {
    const { status, stdout, stderr } = await runCommand(args.split(" "));
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(expected);
  });

  it.each([
    ["help", /^Usage: riskgate \[options\]/],
    ["help serve", /^Usage: riskgate serve/],
    ["help app create", /^Usage: riskgate app create/],
    ["app help", /^Usage: riskgate app /],
    ["app --help", /^Usage: riskgate app /],
    ["app -h create", /^Usage: riskgate app /],
    ["rehearse --log a.jsonl --help", /^Usage: riskgate rehearse /],
    ["sign body.json --help", /^Usage: riskgate sign /],
  ])("shows help for `%s`", async (args, expected) => {
    const { status, stdout, stderr } = await runCommand(args.split(" "));
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(expected);
  });

  it("has the version of its manifest", async () => {
    const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    const { version } = JSON.parse(text) as { version: string };
    expect(await runCommand(["--version"])).toEqual({
      status: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
  });

  it("has the exit codes of its help and its README", async () => {
    const { stdout } = await runCommand(["--help"]);
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const listed = [...readme.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)];
    const meanings = listed.map(([, code, meaning]) => [code, meaning?.toLowerCase()]);
    expect(Object.fromEntries(meanings)).toEqual(EXIT_MEANINGS);
    expect(Object.keys(EXIT_MEANINGS)).toEqual(Object.values(EXIT).map(String));
    const words = stdout.replace(/\s+/g, " ");
    for (const [code, meaning] of Object.entries(EXIT_MEANINGS)) {
      expect(words).toContain(` ${code} ${meaning} `);
    }
  });

  it.each([
    ["on a terminal", {}, true, true],
    ["into a pipe", {}, false, false],
    ["under NO_COLOR", { NO_COLOR: "1" }, true, false],
    ["on a dumb terminal", { TERM: "dumb" }, true, false],
  ])("shows colours as it should %s", async (_, env, isTTY, isColoured) => {
    const { terminal, shown } = fakeTerminal(env, isTTY);
    expect(await runCli(["lookup", "email", "x@mailinator.com"], terminal)).toBe(0);
    const text = shown();
    expect(text.includes("\u001b[")).toBe(isColoured);
    expect(text).toContain("50 flag");
  });

  it("ends an error with a link to its heading", async () => {
    const { stderr } = await runCommand(["sign"], { input: "[]" });
    const [, link = "", anchor] = /\n(https:\S+errors\.md#(\S+))\n$/.exec(stderr) ?? [];
    expect(link).toMatch(/^https:\/\/github\.com\/riskgate\/riskgate\/blob\/main\/docs\//);
    const path = new URL("../../../docs/errors.md", import.meta.url);
    expect(readFileSync(path, "utf8").toLowerCase()).toContain(`\n## ${anchor}\n`);
    const { stderr: asJson } = await runCommand(["sign", "--json"], { input: "[]" });
    expect(JSON.parse(asJson)).toMatchObject({ error: { link } });
  });

  it("has no link for what no code stands for", async () => {
    const { terminal, told } = fakeTerminal({}, false);
    const write = () => Promise.reject(new Error("the disk is full"));
    const out = { ...terminal.out, write };
    expect(await runCli(["lookup", "email", "a@b.example"], { ...terminal, out })).toBe(70);
    expect(told()).toBe("riskgate: the disk is full (UNEXPECTED)\n");
  });

  it("tells troubles as one JSON object with --json", async () => {
    const { status, stdout, stderr } = await runCommand(["sign", "--json"], { input: "[]" });
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  });
});

import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/program.js";
import { EXIT } from "../src/terminal/exit-code.js";
import { createTerminal } from "../src/terminal/terminal.js";
import { deadUrl } from "./support/receiver.js";
import { runCommand } from "./support/run-command.js";
import { scratchDirectory } from "./support/scratch.js";

const scratch = scratchDirectory();

const program = createProgram(createTerminal(process), () => {});
const all = commandsIn(program);

function commandsIn(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsIn)];
}

function pathOf(command: Command): readonly string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : [];
}

/** Commands that do something themselves, by their path. */
const leaves = all
  .filter((command) => command.commands.length === 0 && command.name() !== "help")
  .map((command) => ({ path: pathOf(command).join(" "), command }));

/** One line with a code, one with the next step, and the link to the code's heading. */
const ERROR =
  /^riskgate: [^A-Z\n][^\n]*[^.\n] \([A-Z_]+\)\n[A-Z`][^\n]*[^.\n]\n(https:\/\/\S+\/errors\.md#[a-z_]+)\n$/;

/** Runs a command that must fail, and checks that its error has the style of all errors. */
async function refuse(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = await runCommand(args, { env });
  expect(stdout).toBe("");
  expect(stderr).toMatch(ERROR);
  const asJson = await runCommand([...args, "--json"], { env });
  return { status, stderr, asJson };
}

describe("every command", () => {
  it("is one of many", () => {
    expect(leaves.length).toBeGreaterThan(40);
  });

  it.each(leaves)("$path has a summary in the style of all", ({ command }) => {
    expect(command.summary()).toMatch(/^[a-z].*[^.]$/);
    expect(command.description()).toMatch(/^[A-Z]/);
  });

  it.each(leaves)("$path refuses an unknown option with exit code 2", async ({ path, command }) => {
    const args = [...path.split(" "), ...mandatoryOf(command), "--no-such-option"];
    const { status, stderr, asJson } = await refuse(args);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain("unknown option '--no-such-option'");
    expect(stderr).toContain(`\`riskgate ${path} --help\` shows the usage`);
    expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { code: "CONFIG_INVALID" } });
  });

  const limited = leaves.filter(({ command }) =>
    command.registeredArguments.every(({ variadic }) => !variadic),
  );

  it.each(limited)("$path refuses too many arguments with exit code 2", async (leaf) => {
    const args = [...leaf.path.split(" "), ...mandatoryOf(leaf.command), "a", "b", "c"];
    expect((await refuse(args)).status).toBe(EXIT.usage);
  });

  const required = leaves.filter(
    ({ command }) =>
      command.registeredArguments.some((argument) => argument.required) ||
      command.options.some(({ mandatory }) => mandatory),
  );

  it.each(required)("$path refuses a missing value with exit code 2", async ({ path }) => {
    expect((await refuse(path.split(" "))).status).toBe(EXIT.usage);
  });

  const administration = leaves.filter(({ command }) =>
    command.options.some(({ long }) => long === "--admin-url"),
  );

  // Those that need no service.
  const outside = new Set(["feeds update", "lookup ip", "lookup email", "doctor"]);
  const served = administration.filter(({ path }) => !outside.has(path));

  it.each(served)("$path refuses a directory without data with exit code 2", async (leaf) => {
    const { status, stderr } = await refuse([...completeArguments(leaf), "--data-dir", "/nowhere"]);
    expect(status).toBe(EXIT.usage);
    expect(stderr).toContain("the data directory /nowhere does not exist");
  });

  it.each(served)("$path has exit code 3 if no service answers", async (leaf) => {
    const url = new URL(await deadUrl()).origin;
    const env = { RISKGATE_ADMIN_URL: url, RISKGATE_ADMIN_TOKEN: "t".repeat(20) };
    expect((await refuse(completeArguments(leaf), env)).status).toBe(EXIT.unreachable);
  });
});

function mandatoryOf({ options }: Command): readonly string[] {
  return options
    .filter(({ mandatory }) => mandatory)
    .map(({ long }) => `${long}=${long === "--url" ? "http://127.0.0.1:1" : "value"}`);
}

/** Arguments with which a command that administers a service can start. */
function completeArguments({ path, command }: (typeof leaves)[number]): readonly string[] {
  const args = command.registeredArguments.map((argument) => valueOf(path, argument.name()));
  const isConfirmed = command.options.some(({ long }) => long === "--yes");
  return [...path.split(" "), ...args, ...(isConfirmed ? ["--yes"] : [])];
}

/** A suitable value of an argument. */
function valueOf(path: string, argument: string): string {
  if (argument === "what") return "auth_bruteforce";
  if (argument === "ip") return "203.0.113.7";
  if (argument !== "file") return "0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b";
  return scratch.file("file.json", path === "rules set" ? '{"rules":[]}' : "{}");
}

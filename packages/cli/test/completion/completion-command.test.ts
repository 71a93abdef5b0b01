import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runProgram } from "../../../../tools/test/run-node.js";
import { runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

/** The script for a shell, in a file. */
async function scriptFor(shell: string): Promise<string> {
  const { status, stdout, stderr } = await runCommand(["completion", shell]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return scratch.file(`riskgate.${shell}`, stdout);
}

describe("riskgate completion", () => {
  it.each(["bash", "zsh", "fish"])("knows commands, options and choices, for %s", async (shell) => {
    const { stdout } = await runCommand(["completion", shell]);
    for (const word of ["rehearse digest", "payload-type", "info", "fastify", "zsh"]) {
      expect(stdout).toContain(word);
    }
    expect(stdout).not.toContain("undefined");
  });

  it.skipIf(!has("bash")).each([
    ["riskgate s", "serve send sign"],
    ["riskgate app cr", "create"],
    ["riskgate app help rot", "rotate"],
    ["riskgate app create --sa", "--sandbox"],
    ["riskgate serve --sandbox --lo", "--log"],
    ["riskgate serve --log ", "info warn error"],
    ["riskgate serve --log w", "warn"],
    ["riskgate init --framework ko", "koa"],
    ["riskgate completion ", "bash zsh fish"],
    ["riskgate rehearse -", "--log"],
    ["riskgate serve --settings ", ""],
    ["riskgate nope ap", "app"],
  ])("completes `%s` with %s, in bash (without it: skipped)", async (line, expected) => {
    const file = await scriptFor("bash");
    const words = line.split(" ").map((word) => `'${word}'`);
    const program = `set -u; source '${file}'; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _riskgate; echo "\${COMPREPLY[@]-}"`;
    const { stdout, stderr } = await runProgram("bash", ["-c", program], scratch.path);
    expect(stderr).toBe("");
    if (line.endsWith("-")) expect(stdout.split(" ")).toContain(expected);
    else expect(stdout).toBe(`${expected}\n`);
  });

  it.skipIf(!has("bash"))(
    "is registered for the command, in bash (without it: skipped)",
    async () => {
      const program = `source '${await scriptFor("bash")}'; complete -p riskgate`;
      const { stdout } = await runProgram("bash", ["-c", program], scratch.path);
      expect(stdout).toMatch(/-F _riskgate riskgate/);
    },
  );

  it.skipIf(!has("zsh"))("is sound, in zsh (without it: skipped)", async () => {
    const args = ["-f", "-n", await scriptFor("zsh")];
    expect(await runProgram("zsh", args, scratch.path)).toMatchObject({ status: 0, stderr: "" });
  });

  it.skipIf(!has("fish"))("completes, in fish (without it: skipped)", async () => {
    const program = `source '${await scriptFor("fish")}'; complete -C 'riskgate serve --log '`;
    const { stdout } = await runProgram("fish", ["--no-config", "-c", program], scratch.path);
    expect(stdout.match(/^\w+/gm)).toEqual(["error", "info", "warn"]);
  });

  it("refuses a shell that it does not know", async () => {
    const { status, stderr } = await runCommand(["completion", "tcsh"]);
    expect(status).toBe(2);
    expect(stderr).toContain("expected one of bash, zsh, fish");
  });
});

import { isRiskGateError } from "@riskgate/core";
import { type Command, CommanderError } from "commander";
import { EXIT, exitCodeOf } from "./terminal/exit-code.js";
import { jsonLine, printable } from "./terminal/printable.js";
import { createProgram } from "./program.js";
import type { Terminal } from "./terminal/terminal.js";

/** Page with one heading for each code; the anchor is the code in lower case. */
const ERRORS = "https://github.com/riskgate/riskgate/blob/main/docs/errors.md";

/**
 * Runs the command with the arguments after the program's name.
 *
 * @returns The exit code; see the README. Errors are written to standard error.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(withoutLostHelp(args, program), { from: "user" });
    return exitCode;
  } catch (error) {
    // Help and version end here too, with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    await report(error, terminal, args.includes("--json"));
    return exitCodeOf(error);
  }
}

/**
 * Removes `--help` if the arguments name an unknown command: otherwise commander shows the help of
 * the parent command instead of an error.
 */
function withoutLostHelp(args: readonly string[], program: Command): readonly string[] {
  let command = program;
  for (let at = 0; at < args.length && args[at] !== "--"; at++) {
    const arg = args.at(at)!;
    if (command.commands.length === 0) return args;
    if (arg.startsWith("-")) {
      if (
        command.options.some(({ short, long, required }) => required && [short, long].includes(arg))
      )
        at++;
      continue;
    }
    const next = command.commands.find((one) => one.name() === arg);
    if (!next) return args.filter((one) => one !== "--help" && one !== "-h");
    command = next;
  }
  return args;
}

async function report(error: unknown, { err }: Terminal, asJson: boolean): Promise<void> {
  const isOurs = isRiskGateError(error);
  const code = isOurs ? error.code : "UNEXPECTED";
  const message =
    error instanceof Error ? error.message : "a value that is not an error was thrown";
  const hint = isOurs ? error.hint : undefined;
  const link = isOurs ? `${ERRORS}#${code.toLowerCase()}` : undefined;
  if (asJson) {
    await err.write(jsonLine({ error: { code, message, hint, link } }));
    return;
  }
  await err.write(`${err.paint("bad", "riskgate:")} ${printable(message)} (${code})\n`);
  if (hint !== undefined) await err.write(`${printable(hint)}\n`);
  if (link !== undefined) await err.write(`${link}\n`);
}

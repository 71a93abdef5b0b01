import { isRiskGateError } from "@riskgate/core";
import { CommanderError } from "commander";
import { EXIT, exitCodeOf } from "./exit-code.js";
import { jsonLine, printable } from "./printable.js";
import { createProgram } from "./program.js";
import type { Terminal } from "./terminal.js";

/**
 * Run the command with its arguments, those after the name of the program.
 *
 * @returns The exit code; see the README. Errors are written to standard error.
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = EXIT.ok;
  const program = createProgram(terminal, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    // Help and version arrive here as well, with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    await report(error, terminal, args.includes("--json"));
    return exitCodeOf(error);
  }
}

async function report(error: unknown, { err }: Terminal, asJson: boolean): Promise<void> {
  const isOurs = isRiskGateError(error);
  const code = isOurs ? error.code : "UNEXPECTED";
  const message =
    error instanceof Error ? error.message : "a value that is not an error was thrown";
  const hint = isOurs ? error.hint : undefined;
  if (asJson) {
    await err.write(jsonLine({ error: { code, message, hint } }));
    return;
  }
  await err.write(`${err.paint("bad", "riskgate:")} ${printable(message)} (${code})\n`);
  if (hint !== undefined) await err.write(`${printable(hint)}\n`);
}

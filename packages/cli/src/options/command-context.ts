import { RiskGateError } from "@riskgate/core";
import { nearest } from "@riskgate/core/internal";
import { normalizeIp, parseCidr } from "@riskgate/core/address";
import { type Command, InvalidArgumentError } from "commander";
import type { ExitCode } from "../terminal/exit-code.js";
import type { Terminal } from "../terminal/terminal.js";

export interface CommandContext {
  readonly terminal: Terminal;
  /** Sets the exit code of a command that finished. */
  readonly end: (code: ExitCode) => void;
}

/** Maximum width of help texts. */
const COLUMNS = 80;

interface CommandHelp {
  /** For the list of commands, in lower case and without a full stop. */
  readonly summary: string;
  /** Default: the summary as a sentence. */
  readonly description?: string;
  readonly examples?: Readonly<Record<string, string>>;
}

export function addCommand(
  parent: Command,
  usage: string,
  { summary, description = `${capitalised(summary)}.`, examples = {} }: CommandHelp,
): Command {
  const shown = Object.entries(examples).map(
    ([command, meaning]) => `  # ${meaning}\n${typed(command)}\n`,
  );
  const command = parent.command(usage).summary(summary).description(description);
  return shown.length === 0
    ? command
    : command.addHelpText("after", `\nExamples:\n${shown.join("\n")}`);
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function typed(command: string): string {
  const [start = "", ...options] = command.split(/ (?=--)/);
  let text = `  $ ${start}`;
  let column = text.length;
  for (const option of options) {
    // Two columns for the backslash that continues the line.
    const isFull = column + 1 + option.length + 2 > COLUMNS;
    const added = isFull ? `      ${option}` : ` ${option}`;
    text += isFull ? ` \\\n${added}` : added;
    column = isFull ? added.length : column + added.length;
  }
  return text;
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]+$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`);
  };
}

export function score(text: string): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError("expected a number from 0 to 100");
}

export function ipAddress(text: string): string {
  const ip = normalizeIp(text);
  if (ip === undefined) throw new InvalidArgumentError("expected an IP address");
  return ip;
}

/** Refuses an irreversible command without `--yes`. A missing argument is reported first. */
export function requireYes(yes: true | undefined, loss: string): void {
  if (yes) return;
  throw new RiskGateError("CONFIG_INVALID", `${loss}: this cannot be undone`, {
    hint: "Add --yes to confirm",
  });
}

/** Parses a repeatable option. */
export function listOf(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

export function listOfWords(
  words: readonly string[],
): (text: string, before: readonly string[] | undefined) => readonly string[] {
  return (text, before) => {
    if (words.includes(text)) return listOf(text, before);
    const near = nearest(text.slice(0, 64), words);
    throw new InvalidArgumentError(
      near === undefined ? `expected one of ${words.join(", ")}` : `Did you mean ${near}?`,
    );
  };
}

export function listOfNetworks(
  text: string,
  before: readonly string[] | undefined,
): readonly string[] {
  if (parseCidr(text, new Uint32Array(4)) !== undefined) return listOf(text, before);
  throw new InvalidArgumentError("expected an address or a CIDR, such as 127.0.0.0/8");
}

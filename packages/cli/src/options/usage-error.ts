import { RiskGateError } from "@riskgate/core";
import type { Command } from "commander";

/**
 * Makes a command throw errors of usage in the same style as all others, instead of printing
 * commander's text.
 */
export function throwUsageErrors(command: Command): void {
  command.configureOutput({
    outputError(text) {
      throw usageError(text, command);
    },
  });
  for (const inner of command.commands) throwUsageErrors(inner);
}

/** Commander's text: the problem, and in parentheses a suggestion on the next line. */
const TEXT = /^error: (.*?)\.?(?:\n\((.*)\))?\n$/s;

/** Commander's text for an unsuitable value of an option or argument. */
const VALUE =
  /^(?:option '(.+?)' argument|command-argument value) '(.*?)' is invalid(?: for argument '(.+?)')?\. (.*)$/s;

function usageError(text: string, command: Command): RiskGateError {
  const [, problem = text, suggestion = nearOptions(text, command)] = TEXT.exec(text) ?? [];
  const [, option, given = "", argument, expected = ""] = VALUE.exec(problem) ?? [];
  const name = option ?? argument;
  const isNear = expected.startsWith("Did you mean ");
  const message = name
    ? `${name}: ${isNear ? "unknown value" : `${expectationIn(expected)}, got`} ${shown(given)}`
    : problem.replace(". Expected", ": expected");
  const help = `\`${pathOf(command)} --help\` shows the usage`;
  const hint = [isNear ? expected : suggestion, help].filter(Boolean).join(" ");
  return new RiskGateError("CONFIG_INVALID", message, { hint });
}

function expectationIn(text: string): string {
  return text.replace(/^Allowed choices are (.*)$/, "expected one of $1");
}

/** Quotes a value, without the password that a URL may contain. */
function shown(given: string): string {
  return JSON.stringify(given.replace(/\/\/[^/]*@/, "//...@").slice(0, 80));
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/**
 * Suggests options that end with the same word as an unknown one: `--url` of one command is
 * `--base-url` of another. Commander compares only letters.
 */
function nearOptions(text: string, { options }: Command): string | undefined {
  const [, given] = /^error: unknown option '(--[\w-]+)/.exec(text) ?? [];
  if (given === undefined) return undefined;
  const near = options.flatMap(({ long, hidden }) =>
    long && !hidden && !GENERIC.has(lastWord(given)) && lastWord(long) === lastWord(given)
      ? [long]
      : [],
  );
  return near.length === 0 ? undefined : `Did you mean ${near.join(" or ")}?`;
}

/** Last words of options that mean different things. */
const GENERIC: ReadonlySet<string> = new Set(["dir", "file"]);

function lastWord(option: string): string {
  return option.slice(option.lastIndexOf("-") + 1);
}

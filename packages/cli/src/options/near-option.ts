import type { Command } from "commander";

/** Commander's message if no option is spelled similarly. */
const UNKNOWN = /^error: unknown option '(--[\w-]+)(?:=[^\n]*)?'\n$/;

/**
 * Suggests options that end with the same word as an unknown one: `--url` of one command is
 * `--base-url` of another. Commander compares only letters.
 */
export function suggestNearOptions(command: Command): void {
  command.configureOutput({
    outputError: (text, write) => write(withNearOptions(text, command)),
  });
  for (const inner of command.commands) suggestNearOptions(inner);
}

function withNearOptions(text: string, { options }: Command): string {
  const [, given] = UNKNOWN.exec(text) ?? [];
  if (given === undefined) return text;
  const near = options.flatMap(({ long, hidden }) =>
    long && !hidden && lastWord(long) === lastWord(given) ? [long] : [],
  );
  return near.length === 0 ? text : `${text}(Did you mean ${near.join(" or ")}?)\n`;
}

function lastWord(option: string): string {
  return option.slice(option.lastIndexOf("-") + 1);
}

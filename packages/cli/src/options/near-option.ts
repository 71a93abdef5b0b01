import type { Command } from "commander";

/** What commander says where no option is spelled nearly as the one given. */
const UNKNOWN = /^error: unknown option '(--[\w-]+)(?:=[^\n]*)?'\n$/;

/**
 * Name the options of each command that end with the word of an unknown one: what is `--url` for one
 * command is `--base-url` for another, and commander looks at single letters only.
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

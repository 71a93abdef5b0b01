import type { Command, Option } from "commander";

/** What can follow one command on the line. */
export interface CompletionNode {
  /** The names so far, with that of the program, as in `riskgate app create`. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly CompletionOption[];
  /** What the first argument can be, where there is a list. */
  readonly values: readonly string[];
}

/** A word with its meaning, on one line. */
export interface Described {
  readonly name: string;
  readonly meaning: string;
}

/** An option with all its names, as in `-h` and `--help`. */
export interface CompletionOption {
  readonly names: readonly string[];
  readonly meaning: string;
  readonly takesValue: boolean;
  /** What the value can be, where there is a list. */
  readonly choices: readonly string[];
}

/** Every command of a program, the program first. */
export function completionNodes(command: Command, above = ""): readonly CompletionNode[] {
  const path = `${above}${command.name()}`;
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const node: CompletionNode = {
    path,
    commands: commands.map((one) => ({
      name: one.name(),
      meaning: help.subcommandDescription(one),
    })),
    options: [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map(optionOf),
    values: valuesOf(command),
  };
  return [node, ...commands.flatMap((one) => completionNodes(one, `${path} `))];
}

function optionOf({
  short,
  long,
  description,
  required,
  optional,
  argChoices,
}: Option): CompletionOption {
  return {
    names: [short, long].filter((name) => name !== undefined),
    meaning: description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/** `help` takes the names of the commands beside it. */
function valuesOf(command: Command): readonly string[] {
  if (command.name() === "help") return command.parent?.commands.map((one) => one.name()) ?? [];
  return command.registeredArguments[0]?.argChoices ?? [];
}

import type { Command, Option } from "commander";

export interface CompletionNode {
  /** The command with the program's name, as in `riskgate app create`. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly options: readonly CompletionOption[];
  /** Possible values of the first argument, if they are known. */
  readonly values: readonly string[];
}

export interface Described {
  readonly name: string;
  readonly meaning: string;
}

export interface CompletionOption {
  readonly names: readonly string[];
  readonly meaning: string;
  readonly takesValue: boolean;
  /** Possible values, if they are known. */
  readonly choices: readonly string[];
}

/** Lists every command of a program, starting with the program. */
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

/** `help` completes the names of its sibling commands. */
function valuesOf(command: Command): readonly string[] {
  if (command.name() === "help") return command.parent?.commands.map((one) => one.name()) ?? [];
  return command.registeredArguments[0]?.argChoices ?? [];
}

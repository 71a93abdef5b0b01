import type { Command } from "commander";

/**
 * Adds `riskgate help`, and `help` to each command that has subcommands. Commander's own shows the
 * help of the whole program for an unknown command, and accepts only one name.
 */
export function addHelpCommand(command: Command): void {
  command.helpCommand(false);
  for (const one of command.commands.filter(({ commands }) => commands.length > 0)) {
    addHelpCommand(one);
  }
  command
    .command("help [command...]")
    .summary("show the help of a command")
    .description("Show the help of a command.")
    .action(async (names: readonly string[]) => {
      let shown = command;
      for (const name of names) {
        const next = shown.commands.find((one) => one.name() === name);
        if (!next && shown.commands.length === 0) {
          shown.error(`error: '${shown.name()}' has no subcommand '${name}'`);
        }
        // A command with subcommands refuses an unknown name, and suggests another.
        if (!next) await shown.parseAsync([name], { from: "user" });
        shown = next ?? shown;
      }
      shown.help();
    });
}

import type { Command } from "commander";

/**
 * `riskgate help`, and `help` of each command that has others: commander's own shows the help of the
 * whole program for a command that does not exist, and takes only one name.
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
          shown.error(`error: '${shown.name()}' has no commands of its own, given '${name}'`);
        }
        // A command that has others does nothing itself: it refuses the name, and suggests another.
        if (!next) await shown.parseAsync([name], { from: "user" });
        shown = next ?? shown;
      }
      shown.help();
    });
}

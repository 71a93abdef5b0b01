import { Argument, type Command } from "commander";
import { type AdminCommandOptions, adminCommands } from "../admin/admin-commands.js";
import {
  addCommand,
  type CommandContext,
  ipAddress,
  requireYes,
} from "../options/command-context.js";
import { memberWords } from "../terminal/member-words.js";
import { printable } from "../terminal/printable.js";

interface EraseOptions extends AdminCommandOptions {
  readonly yes?: true;
}

/** Adds `riskgate erase`, which deletes the records of an IP address or account. */
export function addEraseCommand(program: Command, { terminal }: CommandContext): void {
  const erase = addCommand(program, "erase", {
    summary: "erase an IP address or account",
    description: "Permanently erase what a service has recorded about an IP address or an account.",
  });
  const { add, run, show } = adminCommands(erase, terminal);
  const addSubject = (subject: "ip" | "account", argument: Argument, example: string): Command =>
    add(
      subject,
      `erase an ${subject === "ip" ? "IP address" : subject}`,
      `riskgate erase ${subject} ${example} --yes`,
    )
      .addArgument(argument)
      .option("--yes", "required: an erasure cannot be undone")
      .action(async (value: string, options: EraseOptions) => {
        requireYes(options.yes, `everything recorded about ${printable(value)} would be erased`);
        const answer = await run(options, (client) =>
          client.call("POST /erasures", {
            body: subject === "ip" ? { ip: value } : { account: value },
          }),
        );
        const erased = Object.entries(answer.erased).map(([name, count]) => [
          memberWords(name),
          count,
        ]);
        const counts = erased.map(([name, count]) => `${name} ${count}`).join(", ");
        await show(options, answer, `Erased ${printable(value)}: ${printable(counts)}\n`);
      });
  addSubject("ip", new Argument("<ip>").argParser(ipAddress), "203.0.113.7");
  addSubject("account", new Argument("<account>"), "ada@example.com");
}

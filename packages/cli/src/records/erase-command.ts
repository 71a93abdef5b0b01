import { Argument, type Command } from "commander";
import { addAdminOptions, type AdminOptions, withAdmin } from "../admin/admin-access.js";
import { createAdminApi } from "../admin/admin-api.js";
import {
  type CommandContext,
  examples,
  ipAddress,
  requireYes,
} from "../options/command-context.js";
import { jsonLine, printable } from "../terminal/printable.js";

interface EraseOptions extends AdminOptions {
  readonly yes?: true;
  readonly json?: true;
}

/** `riskgate erase`: what a service knows of an address or account is forgotten. */
export function addEraseCommand(program: Command, { terminal }: CommandContext): void {
  const erase = program
    .command("erase")
    .summary("forget an address or account")
    .description(
      "Permanently erase what a service has recorded about an IP address or an account.",
    );
  const add = (subject: "ip" | "account", argument: Argument, example: string): Command =>
    addAdminOptions(
      erase
        .command(subject)
        .summary(`forget an ${subject === "ip" ? "IP address" : subject}`)
        .addArgument(argument),
    )
      .option("--yes", "needed: an erasure cannot be undone")
      .option("--json", "print a JSON object")
      .addHelpText("after", examples([`riskgate erase ${subject} ${example} --yes`, "Erase it"]))
      .action(async (value: string, options: EraseOptions) => {
        requireYes(options.yes, `everything recorded about ${printable(value)} would be erased`);
        const erased = await withAdmin(options, terminal, (client) =>
          createAdminApi(client).erase({ [subject]: value }),
        );
        const text = `Erased ${printable(value)}: ${printable(JSON.stringify(erased))}\n`;
        await terminal.out.write(options.json ? jsonLine({ erased }) : text);
      });
  add("ip", new Argument("<ip>").argParser(ipAddress), "203.0.113.7");
  add("account", new Argument("<account>"), "ada@example.com");
}

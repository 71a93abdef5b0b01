import type { Command } from "commander";
import { addCommand, capitalised } from "../options/command-context.js";
import { namingOptions } from "../options/option-refusal.js";
import { jsonLine } from "../terminal/printable.js";
import { formatList } from "../terminal/table.js";
import type { Terminal } from "../terminal/terminal.js";
import { addAdminOptions, type AdminOptions, withAdmin } from "./admin-access.js";
import type { AdminClient } from "./admin-client.js";
import { acceptShortIds } from "./full-id-client.js";
import { shortIds } from "./short-id.js";

export interface AdminCommandOptions extends AdminOptions {
  readonly json?: true;
}

interface ListCommand<Name extends string, Item, Options> {
  readonly summary: string;
  readonly example: string;
  readonly head: readonly string[];
  /** Returns an object whose only member is the list; `--json` prints it. */
  readonly find: (
    client: AdminClient,
    options: Options,
  ) => Promise<Readonly<Record<Name, readonly Item[]>>>;
  readonly row: (item: Item) => readonly string[];
}

export interface AdminCommands {
  /** Adds a command with the service options and `--json`. */
  readonly add: (usage: string, summary: string, example: string) => Command;
  /** Adds `list`, which prints the member `name` of a response as a table. */
  readonly list: <Name extends string, Item, Options extends AdminCommandOptions>(
    name: Name,
    command: ListCommand<Name, Item, Options>,
  ) => Command;
  /**
   * Calls the service, with ids that may be shortened. If it refuses a setting, the error names the
   * option.
   */
  readonly run: <T>(options: AdminOptions, work: (client: AdminClient) => Promise<T>) => Promise<T>;
  /** Prints the value with `--json`, otherwise the text. */
  readonly show: (options: AdminCommandOptions, value: object, text: string) => Promise<void>;
}

export function adminCommands(parent: Command, terminal: Terminal): AdminCommands {
  const commands: AdminCommands = {
    add: (usage, summary, example) =>
      addAdminOptions(
        addCommand(parent, usage, { summary, examples: { [example]: capitalised(summary) } }),
      ).option("--json", "print a JSON object"),
    list: <Name extends string, Item, Options extends AdminCommandOptions>(
      name: Name,
      { summary, example, head, find, row }: ListCommand<Name, Item, Options>,
    ) =>
      commands.add("list", summary, example).action(async (options: Options) => {
        const answer = await commands.run(options, (client) => find(client, options));
        const rows = answer[name].map(row);
        await commands.show(options, answer, formatList(head, shortened(head, rows), terminal.out));
      }),
    run: (options, work) =>
      namingOptions(() => withAdmin(options, terminal, (client) => work(acceptShortIds(client)))),
    show: (options, value, text) => terminal.out.write(options.json ? jsonLine(value) : text),
  };
  return commands;
}

/** Shortens the ids in the first column. */
function shortened(
  [name]: readonly string[],
  rows: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  if (name !== "ID") return rows;
  const ids = shortIds(rows.map(([id = ""]) => id));
  return rows.map(([, ...others], at) => [ids[at]!, ...others]);
}

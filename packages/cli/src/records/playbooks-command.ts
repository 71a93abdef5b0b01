import { RiskGateError } from "@riskgate/core";
import type { Command } from "commander";
import { addAdminOptions, type AdminOptions, withAdmin } from "../admin/admin-access.js";
import { type CommandContext, examples, wholeNumber } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { targetsOf } from "./describe-response.js";
import { withPlaybookFile } from "./playbook-file.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { createRecordApi, type PlaybookView, type RecordApi } from "../admin/record-api.js";
import { formatTable } from "../terminal/table.js";

interface PlaybooksOptions extends AdminOptions {
  readonly json?: true;
}

interface ListOptions extends PlaybooksOptions {
  readonly app?: string;
}

interface DryRunOptions extends ListOptions {
  readonly file?: string;
  readonly days: number;
}

/** `riskgate playbooks`: what is answered to events and incidents. */
export function addPlaybooksCommand(program: Command, { terminal }: CommandContext): void {
  const playbooks = program
    .command("playbooks")
    .summary("list, add, remove and try playbooks")
    .description(
      'Manage the playbooks of a service. A file holds one as JSON, for example\n{"name":"Block",\n "rule":{"kinds":["auth_bruteforce"],"count":3},\n "response":{"durationMs":3600000}}',
    )
    .addHelpText(
      "after",
      examples(
        [
          "riskgate playbooks add 5f1e7c0a9b3d4e2f8a6c1d70 block.json",
          "Add the playbook of a file",
        ],
        [
          "riskgate playbooks dry-run --app 5f1e7c0a9b3d4e2f8a6c1d70 --file block.json",
          "Try it before that",
        ],
      ),
    );
  const add = (usage: string, summary: string, example: string): Command =>
    addAdminOptions(playbooks.command(usage).summary(summary).description(`${summary}.`))
      .option("--json", "print a JSON object")
      .addHelpText("after", examples([example, summary]));
  const run = <T>(options: PlaybooksOptions, work: (api: RecordApi) => Promise<T>): Promise<T> =>
    withAdmin(options, terminal, (client) => work(createRecordApi(client)));

  add("list", "List playbooks, oldest first", "riskgate playbooks list")
    .option("--app <id>", "only those of this application")
    .action(async (options: ListOptions) => {
      const found = await run(options, (api) => api.listPlaybooks(options.app));
      const head = ["ID", "APPLICATION", "STATE", "NAME", "RULE"];
      const text = formatTable([head, ...found.map(rowOf)]);
      await terminal.out.write(options.json ? jsonLine({ playbooks: found }) : text);
    });

  add(
    "add <application> <file>",
    "Add the playbook of a JSON file",
    "riskgate playbooks add 5f1e7c0a9b3d4e2f8a6c1d70 block.json",
  ).action(async (application: string, file: string, options: PlaybooksOptions) => {
    const playbook = await withPlaybookFile(file, (settings) =>
      run(options, (api) => api.addPlaybook(application, settings)),
    );
    await terminal.out.write(options.json ? jsonLine({ playbook }) : `${printable(playbook.id)}\n`);
  });

  add(
    "remove <id>",
    "Remove a playbook",
    "riskgate playbooks remove 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: PlaybooksOptions) => {
    await run(options, (api) => api.removePlaybook(id));
    await terminal.out.write(
      options.json ? jsonLine({ removed: id }) : `Removed ${printable(id)}\n`,
    );
  });

  add(
    "dry-run [id]",
    "Show what a playbook would have done in the last days",
    "riskgate playbooks dry-run 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b --days 30",
  )
    .option("--app <id>", "the application, with --file")
    .option("--file <file>", "a JSON file instead of a stored playbook")
    .option("--days <n>", "how many days back", wholeNumber(1, 90), 7)
    .action(async (id: string | undefined, { app, file, days, ...options }: DryRunOptions) => {
      const isNew = app !== undefined && file !== undefined;
      if (isNew === (id !== undefined)) {
        throw new RiskGateError("CONFIG_INVALID", "expected an id, or --app and --file", {
          hint: "Name a stored playbook, or a file and the application to try it on",
        });
      }
      const result = isNew
        ? await withPlaybookFile(file, (settings) =>
            run(options, (api) => api.dryRun(app, { ...settings, days })),
          )
        : await run(options, (api) => api.dryRunPlaybook(id!, { days }));
      const { events, responseCount, responses, isPartial, since } = result;
      const which = `${isPartial ? "the newest " : ""}${counted(events, "event")}`;
      const rows = responses.map(({ createdAt, endsAt, payload }) => [
        createdAt,
        `until ${endsAt}`,
        targetsOf(payload).join(" "),
      ]);
      const text = `${counted(responseCount, "response")} to ${which} since ${printable(since)}\n`;
      await terminal.out.write(options.json ? jsonLine(result) : text + formatTable(rows));
    });
}

function rowOf({ id, applicationId, enabled, name, rule }: PlaybookView): string[] {
  return [id, applicationId, enabled ? "on" : "off", name, JSON.stringify(rule)];
}

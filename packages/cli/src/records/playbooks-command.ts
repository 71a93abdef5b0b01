import type { DryRun, Playbook } from "@riskgate/api-types";
import { RiskGateError } from "@riskgate/core";
import type { Command } from "commander";
import {
  type AdminCommandOptions,
  type AdminCommands,
  adminCommands,
} from "../admin/admin-commands.js";
import { shortId } from "../admin/short-id.js";
import { addCommand, type CommandContext, wholeNumber } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { printable } from "../terminal/printable.js";
import { formatTable } from "../terminal/table.js";
import { timeText } from "../terminal/time-text.js";
import { targetsOf } from "./describe-response.js";
import { withPlaybookFile } from "./playbook-file.js";

interface ListOptions extends AdminCommandOptions {
  readonly app?: string;
}

interface DryRunOptions extends ListOptions {
  readonly file?: string;
  readonly days: number;
}

/** Adds `riskgate playbooks`, which manages the responses to events and incidents. */
export function addPlaybooksCommand(program: Command, { terminal }: CommandContext): void {
  const playbooks = addCommand(program, "playbooks", {
    summary: "list, add, remove and try playbooks",
    description:
      'Manage the playbooks of a service. A file holds one as JSON, for example\n{"name":"Block",\n "rule":{"kinds":["auth_bruteforce"],"count":3},\n "response":{"durationMs":3600000}}',
    examples: {
      "riskgate playbooks dry-run --app 5f1e7c0a9b3d4e2f8a6c1d70 --file block.json":
        "Try a playbook before adding it",
      "riskgate playbooks add 5f1e7c0a9b3d4e2f8a6c1d70 block.json": "Add the playbook",
    },
  });
  const commands = adminCommands(playbooks, terminal);
  const { add, list, run, show } = commands;

  list("playbooks", {
    summary: "list playbooks, oldest first",
    example: "riskgate playbooks list",
    head: ["ID", "APPLICATION", "STATE", "NAME", "RULE"],
    find: (client, { app }: ListOptions) =>
      app === undefined
        ? client.call("GET /playbooks")
        : client.call("GET /applications/{id}/playbooks", { parts: { id: app } }),
    row: rowOf,
  }).option("--app <id>", "only playbooks of this application");

  add(
    "add <application> <file>",
    "add the playbook of a JSON file",
    "riskgate playbooks add 5f1e7c0a9b3d4e2f8a6c1d70 block.json",
  ).action(async (id: string, file: string, options: AdminCommandOptions) => {
    const added = await withPlaybookFile(file, (body) =>
      run(options, (client) =>
        client.call("POST /applications/{id}/playbooks", { parts: { id }, body }),
      ),
    );
    await show(options, added, `${printable(added.playbook.id)}\n`);
  });

  add(
    "remove <id>",
    "remove a playbook",
    "riskgate playbooks remove 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: AdminCommandOptions) => {
    await run(options, (client) => client.call("DELETE /playbooks/{id}", { parts: { id } }));
    await show(options, { removed: id }, `Removed ${printable(id)}\n`);
  });

  addDryRun(commands);
}

function addDryRun({ add, run, show }: AdminCommands): void {
  add(
    "dry-run [id]",
    "show how a playbook would have responded in the last days",
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
        ? await withPlaybookFile(file, (playbook) =>
            run(options, (client) =>
              client.call("POST /applications/{id}/playbooks/dry-run", {
                parts: { id: app },
                body: { ...playbook, days },
              }),
            ),
          )
        : await run(options, (client) =>
            client.call("POST /playbooks/{id}/dry-run", { parts: { id: id! }, body: { days } }),
          );
      await show(options, result, textOf(result));
    });
}

const NO_RESPONSE =
  "No events matched the rule (kinds, count, window), or it has no address or account to name: allowed, private and erased ones are left out\n";

function textOf({ events, responseCount, responses, isPartial, since }: DryRun): string {
  const which = `${isPartial ? "the newest " : ""}${counted(events, "event")}`;
  const rows = responses.map(({ createdAt, endsAt, payload }) => [
    timeText(createdAt),
    `until ${timeText(endsAt)}`,
    targetsOf(payload).join(" "),
  ]);
  const head = `${counted(responseCount, "response")} to ${which} since ${printable(timeText(since))}\n`;
  return head + (events > 0 && responseCount === 0 ? NO_RESPONSE : formatTable(rows));
}

function rowOf({ id, applicationId, enabled, name, rule }: Playbook): string[] {
  return [id, shortId(applicationId), enabled ? "on" : "off", name, JSON.stringify(rule)];
}

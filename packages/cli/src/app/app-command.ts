import type { Application } from "@riskgate/api-types";
import type { Command } from "commander";
import {
  type AdminCommandOptions,
  type AdminCommands,
  adminCommands,
} from "../admin/admin-commands.js";
import {
  addCommand,
  capitalised,
  type CommandContext,
  requireYes,
} from "../options/command-context.js";
import { printable } from "../terminal/printable.js";
import { formatFields, formatTable } from "../terminal/table.js";
import { memberWords } from "../terminal/member-words.js";
import { timeText } from "../terminal/time-text.js";
import { addKeyCommand, addRotateCommand, quotaText } from "./app-credentials.js";
import { addSettings, type SettingOptions, settingsOf } from "./app-settings.js";

const HEAD = ["ID", "NAME", "ENVIRONMENT", "KIND", "WEBHOOK"];

/** Words after a key for other uses than lookups. */
const SCOPE_TEXTS = { lookup: "", report: " (reports)", blocks: " (blocks)" } as const;

export function addAppCommand(program: Command, { terminal }: CommandContext): void {
  const app = addCommand(program, "app", {
    summary: "manage applications, keys and secrets",
    description:
      "Manage the applications of a service, either at --admin-url or in a data directory. The service may be running or not.",
    examples: {
      "riskgate app create Shop --webhook-url https://app.example/hook": "A new application",
      "riskgate app rotate 5f1e7c0a9b3d4e2f8a6c1d70 --overlap-hours 48": "A new signing secret",
    },
  });
  const commands = adminCommands(app, terminal);
  addCreateAndSet(commands);
  addEnableAndDisable(commands);
  addListAndShow(commands);
  addKeyCommand(commands);
  addRotateCommand(commands, terminal);
  addDelete(commands);
}

function addCreateAndSet({ add, run, show }: AdminCommands): void {
  addSettings(
    add("create <name>", "create an application, with key and secret", "riskgate app create Shop"),
  )
    .option("--sandbox", "a sandbox application: magic inputs, and a rate limit")
    .action(async (name: string, options: SettingOptions) => {
      const created = await run(options, (client) =>
        client.call("POST /applications", { body: { ...settingsOf(options), name } }),
      );
      const { application, key, secret } = created;
      const rows = [
        ["Application", application.id],
        ["API key", key],
        ["Signing secret", secret],
      ];
      await show(options, created, `${formatTable(rows)}The key is not shown again.\n`);
    });

  addSettings(
    add(
      "set <id>",
      "change settings",
      "riskgate app set 5f1e7c0a9b3d4e2f8a6c1d70 --max-body-bytes 100000",
    ),
  )
    .option("--name <name>", "new name")
    .action(async (id: string, options: SettingOptions) => {
      const body = settingsOf(options);
      const changed = await run(options, (client) =>
        client.call("PATCH /applications/{id}", { parts: { id }, body }),
      );
      await show(options, changed, formatFields(HEAD, rowOf(changed.application)));
    });
}

function addEnableAndDisable({ add, run, show }: AdminCommands): void {
  const summaries = {
    enable: "resume deliveries",
    disable: "stop deliveries, and cancel the pending ones",
  };
  for (const to of ["enable", "disable"] as const) {
    add(`${to} <id>`, summaries[to], `riskgate app ${to} 5f1e7c0a9b3d4e2f8a6c1d70`).action(
      async (id: string, options: AdminCommandOptions) => {
        const changed = await run(options, (client) =>
          client.call(`POST /applications/{id}/${to}`, { parts: { id } }),
        );
        await show(options, changed, formatFields(HEAD, rowOf(changed.application)));
      },
    );
  }
}

function addListAndShow({ add, list, run, show }: AdminCommands): void {
  list("applications", {
    summary: "list all applications",
    example: "riskgate app list",
    head: HEAD,
    find: (client) => client.call("GET /applications"),
    row: rowOf,
  });

  add(
    "show <id>",
    "show an application with its keys",
    "riskgate app show 5f1e7c0a9b3d4e2f8a6c1d70",
  ).action(async (id: string, options: AdminCommandOptions) => {
    const shown = await run(options, (client) =>
      client.call("GET /applications/{id}", { parts: { id } }),
    );
    const settings = Object.entries(shown.application)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [capitalised(memberWords(name)), textOf(value)]);
    const keys = shown.keys.map((key) => [
      `Key ${key.id}`,
      `...${key.hint}${SCOPE_TEXTS[key.scope]}${key.revokedAt === null ? "" : " (revoked)"}, ${quotaText(key.quota)}`,
    ]);
    await show(options, shown, formatTable([...settings, ...keys]));
  });
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return timeText(String(value));
}

function addDelete({ add, run, show }: AdminCommands): void {
  add("delete <id>", "delete an application", "riskgate app delete 5f1e7c0a9b3d4e2f8a6c1d70 --yes")
    .option("--yes", "required: also deletes its keys, secrets, events and playbooks")
    .action(async (id: string, options: AdminCommandOptions & { readonly yes?: true }) => {
      requireYes(
        options.yes,
        `application ${printable(id)} would be deleted with its keys, secrets, events and playbooks`,
      );
      await run(options, (client) => client.call("DELETE /applications/{id}", { parts: { id } }));
      await show(options, { deleted: id }, `Deleted ${printable(id)}\n`);
    });
}

function rowOf(application: Application): string[] {
  const { id, name, environment, kind, webhookUrl, disabledReason } = application;
  const webhook = disabledReason === null ? (webhookUrl ?? "none") : `off: ${disabledReason}`;
  return [id, name, environment, kind, webhook];
}

import { EVENT_KINDS, INCIDENT_GENRES, PAYLOAD_TYPES } from "@riskgate/core";
import { type Command, Option } from "commander";
import {
  addAdminOptions,
  type AdminOptions,
  withAdmin,
  withRunning,
} from "../admin/admin-access.js";
import { type AdminApi, type ApplicationView, createAdminApi } from "../admin/admin-api.js";
import {
  type CommandContext,
  examples,
  listOfNetworks,
  listOfWords,
  requireYes,
  wholeNumber,
} from "../options/command-context.js";
import { httpUrl } from "../options/http-url.js";
import { namingOptions } from "../options/option-refusal.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { readNewSecret, SIGNING_SECRET } from "../input/secret-source.js";
import { sendTestPayload } from "./send-test-payload.js";
import { formatTable } from "../terminal/table.js";

interface AppOptions extends AdminOptions {
  readonly json?: true;
}

interface KeyOptions extends AppOptions {
  readonly report?: true;
  readonly revoke?: string;
}

interface SettingOptions extends AppOptions {
  readonly name?: string;
  readonly environment?: string;
  readonly sandbox?: true;
  readonly webhookUrl?: URL;
  readonly payloadType?: readonly string[];
  readonly eventKind?: readonly string[];
  readonly incidentGenre?: readonly string[];
  readonly oneTypePerCall?: true;
  readonly maxBodyBytes?: number;
  readonly allow?: readonly string[];
}

interface RotateOptions extends AppOptions {
  readonly overlapHours: number;
  readonly secretFile?: string;
  readonly finish?: true;
}

const MAX_OVERLAP_HOURS = 24 * 90;

/** `riskgate app`: applications, with their keys and secrets. */
export function addAppCommand(program: Command, { terminal }: CommandContext): void {
  const { out } = terminal;
  const app = program
    .command("app")
    .summary("administer applications, keys and secrets")
    .description(
      "Manage the applications of a service, either at --admin-url or in a data directory. The service may be running or not.",
    )
    .addHelpText(
      "after",
      examples(
        ["riskgate app create Shop --webhook-url https://app.example/hook", "A new application"],
        ["riskgate app rotate 5f1e7c0a9b3d4e2f8a6c1d70 --overlap-hours 48", "A new signing secret"],
      ),
    );
  const add = (usage: string, summary: string, example: string): Command =>
    addAdminOptions(app.command(usage).summary(summary).description(`${summary}.`))
      .option("--json", "print a JSON object")
      .addHelpText("after", examples([example, summary]));
  const run = <T>(options: AppOptions, work: (api: AdminApi) => Promise<T>): Promise<T> =>
    namingOptions(() => withAdmin(options, terminal, (client) => work(createAdminApi(client))));
  const show = async (json: true | undefined, value: object, text: string): Promise<void> =>
    out.write(json ? jsonLine(value) : text);

  addSettings(
    add("create <name>", "Create an application, with key and secret", "riskgate app create Shop"),
  )
    .option("--sandbox", "a sandbox application: magic inputs, and a rate limit")
    .action(async (name: string, options: SettingOptions) => {
      const settings = settingsOf({ ...options, name });
      const created = await run(options, (api) => api.createApplication(settings));
      const { application, key, secret } = created;
      const rows = [
        ["Application", application.id],
        ["API key", key],
        ["Signing secret", secret],
      ];
      await show(options.json, created, `${formatTable(rows)}The key is not shown again.\n`);
    });

  addSettings(
    add(
      "set <id>",
      "Change settings",
      "riskgate app set 5f1e7c0a9b3d4e2f8a6c1d70 --max-body-bytes 100000",
    ),
  )
    .option("--name <name>", "another name")
    .action(async (id: string, options: SettingOptions) => {
      const changed = await run(options, (api) => api.changeApplication(id, settingsOf(options)));
      await show(options.json, { application: changed }, formatTable([rowOf(changed)]));
    });

  for (const to of ["enable", "disable"] as const) {
    const summary =
      to === "enable" ? "Deliver again" : "Stop deliveries; the pending are cancelled";
    add(`${to} <id>`, summary, `riskgate app ${to} 5f1e7c0a9b3d4e2f8a6c1d70`).action(
      async (id: string, options: AppOptions) => {
        const changed = await run(options, (api) => api.switchApplication(id, to));
        await show(options.json, { application: changed }, formatTable([rowOf(changed)]));
      },
    );
  }

  add(
    "test <id>",
    "Have a running service deliver a test payload",
    "riskgate app test 5f1e7c0a9b3d4e2f8a6c1d70",
  ).action(async (id: string, options: AppOptions) => {
    const payload = await withRunning(options, terminal, (client) =>
      sendTestPayload(createAdminApi(client), id),
    );
    await show(options.json, { payload }, `Test payload ${printable(payload)} is on its way\n`);
  });

  add("list", "List all applications", "riskgate app list").action(async (options: AppOptions) => {
    const applications = await run(options, (api) => api.listApplications());
    const rows = applications.map(rowOf);
    const head = ["ID", "NAME", "ENVIRONMENT", "KIND", "WEBHOOK"];
    await show(options.json, { applications }, formatTable([head, ...rows]));
  });

  add(
    "show <id>",
    "Show an application with its keys",
    "riskgate app show 5f1e7c0a9b3d4e2f8a6c1d70",
  ).action(async (id: string, options: AppOptions) => {
    const shown = await run(options, (api) => api.showApplication(id));
    const settings = Object.entries(shown.application).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    const keys = shown.keys.map((key) => [
      `key ${key.id}`,
      `...${key.hint}${key.scope === "report" ? " (reports)" : ""}${key.revokedAt === null ? "" : " (revoked)"}`,
    ]);
    await show(options.json, shown, formatTable([...settings, ...keys]));
  });

  add(
    "key <id>",
    "Make a further API key, or revoke one",
    "riskgate app key 5f1e7c0a9b3d4e2f8a6c1d70",
  )
    .option("--report", "a key that can report what the application sees, and nothing else")
    .addOption(
      new Option("--revoke <key-id>", "revoke this key instead; see `app show`").conflicts(
        "report",
      ),
    )
    .action(async (id: string, options: KeyOptions) => {
      const { report, revoke, json } = options;
      if (revoke === undefined) {
        const key = await run(options, (api) => api.addKey(id, report && "report"));
        await show(json, { key }, `${printable(key)}\n`);
      } else {
        await run(options, (api) => api.revokeKey(id, revoke));
        await show(json, { revoked: revoke }, `Revoked ${printable(revoke)}\n`);
      }
    });

  add("rotate <id>", "Make a new signing secret", "riskgate app rotate 5f1e7c0a9b3d4e2f8a6c1d70")
    .option(
      "--overlap-hours <n>",
      "how long the old one still signs, so that receivers can be given both; 0 for not at all",
      wholeNumber(0, MAX_OVERLAP_HOURS),
      24,
    )
    .option("--secret-file <file>", "take the new secret from a file, or `-` for standard input")
    .option("--finish", "end the overlap of the last rotation now: sign with the new secret")
    .action(async (id: string, options: RotateOptions) => {
      const { json, finish, overlapHours, secretFile } = options;
      if (finish) {
        const finished = await run(options, (api) => api.finishRotation(id));
        const text = finished ? "The new secret signs from now on" : "No rotation is under way";
        return show(json, { finished }, `${text}\n`);
      }
      const secret =
        secretFile === undefined
          ? undefined
          : await readNewSecret(SIGNING_SECRET, secretFile, terminal);
      const settings = { overlapMs: overlapHours * 3_600_000, secret };
      const rotated = await run(options, (api) => api.rotateSecret(id, settings));
      await show(json, rotated, `${printable(rotated.secret)}\n`);
      if (json || !rotated.signsFrom) return;
      await terminal.err.write(
        `The old secret signs until ${printable(rotated.signsFrom)}. Give receivers both, then wait or use --finish.\n`,
      );
    });

  add("delete <id>", "Delete an application", "riskgate app delete 5f1e7c0a9b3d4e2f8a6c1d70 --yes")
    .option("--yes", "needed: its keys, secrets, events and playbooks go with it")
    .action(async (id: string, options: AppOptions & { readonly yes?: true }) => {
      requireYes(
        options.yes,
        `application ${printable(id)} would be deleted with its keys, secrets, events and playbooks`,
      );
      await run(options, (api) => api.deleteApplication(id));
      await show(options.json, { deleted: id }, `Deleted ${printable(id)}\n`);
    });
}

function addSettings(command: Command): Command {
  return command
    .option("--environment <name>", "for example staging; default production")
    .option("--webhook-url <url>", "where deliveries go", httpUrl)
    .option(
      "--payload-type <type>",
      `deliver only this type; repeatable: ${PAYLOAD_TYPES.join(", ")}`,
      listOfWords(PAYLOAD_TYPES),
    )
    .option(
      "--event-kind <kind>",
      "deliver only events of this kind; repeatable",
      listOfWords(EVENT_KINDS),
    )
    .option(
      "--incident-genre <genre>",
      "deliver only incidents of this genre; repeatable",
      listOfWords(Object.keys(INCIDENT_GENRES)),
    )
    .option("--one-type-per-call", "never mix payload types in one delivery")
    .option("--max-body-bytes <n>", "largest delivery", wholeNumber(1000, 1_000_000_000))
    .option("--allow <cidr>", "also deliver to this private network; repeatable", listOfNetworks);
}

/** Settings as the administration API takes them; what is not given stays, or has its default. */
function settingsOf(options: SettingOptions): object {
  return {
    name: options.name,
    environment: options.environment,
    kind: options.sandbox && "sandbox",
    webhookUrl: options.webhookUrl?.href,
    payloadTypes: options.payloadType,
    eventKinds: options.eventKind,
    incidentGenres: options.incidentGenre,
    oneTypePerCall: options.oneTypePerCall,
    maxBodyBytes: options.maxBodyBytes,
    allowedDestinations: options.allow,
  };
}

function rowOf(application: ApplicationView): string[] {
  const { id, name, environment, kind, webhookUrl, disabledReason } = application;
  const webhook = disabledReason === null ? (webhookUrl ?? "none") : `off: ${disabledReason}`;
  return [id, name, environment, kind, webhook];
}

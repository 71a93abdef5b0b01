import type { Command } from "commander";
import { addAdminOptions, type AdminOptions, withAdmin } from "../admin/admin-access.js";
import {
  type CommandContext,
  examples,
  ipAddress,
  wholeNumber,
} from "../options/command-context.js";
import { targetsOf } from "./describe-response.js";
import { jsonLine } from "../terminal/printable.js";
import { createRecordApi, type EventView, type RecordApi } from "../admin/record-api.js";
import { formatTable } from "../terminal/table.js";

interface EventsOptions extends AdminOptions {
  readonly json?: true;
}

interface ListOptions extends EventsOptions {
  readonly app?: string;
  readonly kind?: string;
  readonly ip?: string;
  readonly account?: string;
  readonly limit: number;
}

/** `riskgate events`: what applications reported, and what was detected. */
export function addEventsCommand(program: Command, { terminal }: CommandContext): void {
  const events = program
    .command("events")
    .summary("see security events, and what followed from them")
    .description("Show security events with their incidents and responses.")
    .addHelpText("after", examples(["riskgate events list --ip 198.51.100.7", "Of an address"]));
  const add = (usage: string, summary: string, example: string): Command =>
    addAdminOptions(events.command(usage).summary(summary).description(`${summary}.`))
      .option("--json", "print a JSON object")
      .addHelpText("after", examples([example, summary]));
  const run = <T>(options: EventsOptions, work: (api: RecordApi) => Promise<T>): Promise<T> =>
    withAdmin(options, terminal, (client) => work(createRecordApi(client)));

  add("list", "List security events, newest first", "riskgate events list --kind sql_injection")
    .option("--app <id>", "only those of this application")
    .option("--kind <kind>", "only those of this kind")
    .option("--ip <address>", "only those of this address", ipAddress)
    .option("--account <identifier>", "only those of this account")
    .option("--limit <n>", "most that are listed", wholeNumber(1, 1000), 100)
    .action(async ({ app, kind, ip, account, limit, ...options }: ListOptions) => {
      const query = {
        ...(app !== undefined && { applicationId: app }),
        ...(kind !== undefined && { kind }),
        ...(ip !== undefined && { ip }),
        ...(account !== undefined && { account }),
        limit: String(limit),
      };
      const found = await run(options, (api) => api.listEvents(query));
      const head = ["ID", "KIND", "OCCURRED", "RISK", "DESCRIPTION"];
      const text = formatTable([head, ...found.map(rowOf)]);
      await terminal.out.write(options.json ? jsonLine({ events: found }) : text);
    });

  add(
    "show <id>",
    "Show a security event with what followed",
    "riskgate events show 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: EventsOptions) => {
    const shown = await run(options, (api) => api.showEvent(id));
    const rows = shown.flatMap(({ event, incidents, responses }) => [
      rowOf(event),
      ["payload", JSON.stringify(event.payload)],
      ...incidents.map((one) => ["incident", one.id, one.genre, one.startedAt]),
      ...responses.map((one) => ["response", targetsOf(one.payload).join(" "), one.createdAt]),
    ]);
    const text = rows.map((row) => formatTable([row])).join("");
    await terminal.out.write(options.json ? jsonLine({ events: shown }) : text);
  });
}

function rowOf({ id, kind, occurredAt, highRisk, payload }: EventView): string[] {
  const description = payload["humanized_description"];
  const text = typeof description === "string" ? description : "erased";
  return [id, kind, occurredAt, highRisk ? "high" : "", text];
}

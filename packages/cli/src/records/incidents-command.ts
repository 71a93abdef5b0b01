import { INCIDENT_GENRES } from "@riskgate/core";
import { type Command, Option } from "commander";
import { addAdminOptions, type AdminOptions, withAdmin } from "../admin/admin-access.js";
import { type CommandContext, examples, wholeNumber } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { targetsOf } from "./describe-response.js";
import { jsonLine } from "../terminal/printable.js";
import { createRecordApi, type IncidentView, type RecordApi } from "../admin/record-api.js";
import { formatTable } from "../terminal/table.js";

interface IncidentsOptions extends AdminOptions {
  readonly json?: true;
}

interface ListOptions extends IncidentsOptions {
  readonly app?: string;
  readonly genre?: string;
  readonly open?: true;
  readonly limit: number;
}

/** Lines of events, addresses and accounts that are shown without `--json`. */
const MAX_LINES = 20;

/** `riskgate incidents`: what was made of events. */
export function addIncidentsCommand(program: Command, { terminal }: CommandContext): void {
  const incidents = program
    .command("incidents")
    .summary("see incidents, and what belongs to them")
    .description("Show incidents with their events, addresses, accounts and responses.")
    .addHelpText("after", examples(["riskgate incidents list --open", "What goes on now"]));
  const add = (usage: string, summary: string, example: string): Command =>
    addAdminOptions(incidents.command(usage).summary(summary).description(`${summary}.`))
      .option("--json", "print a JSON object")
      .addHelpText("after", examples([example, summary]));
  const run = <T>(options: IncidentsOptions, work: (api: RecordApi) => Promise<T>): Promise<T> =>
    withAdmin(options, terminal, (client) => work(createRecordApi(client)));

  add("list", "List incidents, newest first", "riskgate incidents list --open")
    .option("--app <id>", "only those of this application")
    .addOption(
      new Option("--genre <genre>", "only those of this genre").choices(
        Object.keys(INCIDENT_GENRES),
      ),
    )
    .option("--open", "only those that go on")
    .option("--limit <n>", "most that are listed", wholeNumber(1, 1000), 100)
    .action(async ({ app, genre, open, limit, ...options }: ListOptions) => {
      const query = {
        ...(app !== undefined && { applicationId: app }),
        ...(genre !== undefined && { genre }),
        ...(open && { open: "true" }),
        limit: String(limit),
      };
      const found = await run(options, (api) => api.listIncidents(query));
      const head = ["ID", "GENRE", "STARTED", "ENDED", "EVENTS", "TITLE"];
      const text = formatTable([head, ...found.map(rowOf)]);
      await terminal.out.write(options.json ? jsonLine({ incidents: found }) : text);
    });

  add(
    "show <id>",
    "Show an incident with what belongs to it",
    "riskgate incidents show 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: IncidentsOptions) => {
    const shown = await run(options, (api) => api.showIncident(id));
    const { events, addresses, accounts, responses, isPartial } = shown;
    const few = <T>(list: readonly T[]): readonly T[] => list.slice(0, MAX_LINES);
    const rows = [
      rowOf(shown.incident),
      ...few(addresses).map((one) => ["address", one.name, counted(one.events, "event")]),
      ...few(accounts).map((one) => ["account", one.name, counted(one.events, "event")]),
      ...few(events).map((event) => ["event", event.id, event.kind, event.occurredAt]),
      ...few(responses).map(({ createdAt, payload }) => [
        "response",
        targetsOf(payload).join(" "),
        createdAt,
      ]),
      ...(isPartial || events.length > MAX_LINES ? [["There are more events."]] : []),
    ];
    await terminal.out.write(
      options.json ? jsonLine(shown) : rows.map((row) => formatTable([row])).join(""),
    );
  });
}

function rowOf({ id, genre, startedAt, endedAt, payload }: IncidentView): string[] {
  const { incidents_count: events, humanized_title: title } = payload;
  return [id, genre, startedAt, endedAt ?? "goes on", events ?? 0, title ?? ""].map(String);
}

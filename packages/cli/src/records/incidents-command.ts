import type { IncidentGenre, IncidentHistory, RecordedIncident } from "@riskgate/api-types";
import { INCIDENT_GENRES } from "@riskgate/core";
import { type Command, Option } from "commander";
import { type AdminCommandOptions, adminCommands } from "../admin/admin-commands.js";
import { addCommand, type CommandContext, wholeNumber } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { formatFields, formatTable } from "../terminal/table.js";
import { timeText } from "../terminal/time-text.js";
import { targetsOf } from "./describe-response.js";

const HEAD = ["ID", "GENRE", "STARTED", "ENDED", "EVENTS", "TITLE"];

interface ListOptions extends AdminCommandOptions {
  readonly app?: string;
  readonly genre?: IncidentGenre;
  readonly open?: true;
  readonly limit: number;
}

/** Lines of events, addresses and accounts that are shown without `--json`. */
const MAX_LINES = 20;

/** Adds `riskgate incidents`, which shows incidents with their events and responses. */
export function addIncidentsCommand(program: Command, { terminal }: CommandContext): void {
  const incidents = addCommand(program, "incidents", {
    summary: "show incidents",
    description: "Show incidents with their events, addresses, accounts and responses.",
    examples: { "riskgate incidents list --open": "Ongoing incidents" },
  });
  const { add, list, run, show } = adminCommands(incidents, terminal);

  list("incidents", {
    summary: "list incidents, newest first",
    example: "riskgate incidents list --open",
    head: HEAD,
    find: (client, { app, genre, open, limit }: ListOptions) =>
      client.call("GET /incidents", {
        query: { applicationId: app, genre, open: open && "true", limit },
      }),
    row: rowOf,
  })
    .option("--app <id>", "only incidents of this application")
    .addOption(
      new Option("--genre <genre>", "only incidents of this genre").choices(
        Object.keys(INCIDENT_GENRES),
      ),
    )
    .option("--open", "only ongoing incidents")
    .option("--limit <n>", "maximum number of incidents", wholeNumber(1, 1000), 100);

  add(
    "show <id>",
    "show an incident with its events and responses",
    "riskgate incidents show 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: AdminCommandOptions) => {
    const shown = await run(options, (client) =>
      client.call("GET /incidents/{id}", { parts: { id } }),
    );
    await show(options, shown, textOf(shown));
  });
}

function textOf(history: IncidentHistory): string {
  const { events, addresses, accounts, responses, isPartial } = history;
  const few = <T>(items: readonly T[]): readonly T[] => items.slice(0, MAX_LINES);
  const rows = [
    ...few(addresses).map((one) => ["address", one.name, counted(one.events, "event")]),
    ...few(accounts).map((one) => ["account", one.name, counted(one.events, "event")]),
    ...few(events).map((event) => ["event", event.id, event.kind, timeText(event.occurredAt)]),
    ...few(responses).map(({ createdAt, payload }) => [
      "response",
      targetsOf(payload).join(" "),
      timeText(createdAt),
    ]),
    ...(isPartial || events.length > MAX_LINES ? [["There are more events."]] : []),
  ];
  const fields = formatFields(HEAD, rowOf(history.incident));
  return fields + rows.map((row) => formatTable([row])).join("");
}

function rowOf({ id, genre, startedAt, endedAt, payload }: RecordedIncident): string[] {
  const { incidents_count: events, humanized_title: title } = payload;
  const ended = endedAt === null ? "ongoing" : timeText(endedAt);
  return [id, genre, timeText(startedAt), ended, events ?? 0, title ?? ""].map(String);
}

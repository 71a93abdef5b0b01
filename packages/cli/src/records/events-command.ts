import type { EventKind, RecordedEvent } from "@riskgate/api-types";
import type { Command } from "commander";
import { type AdminCommandOptions, adminCommands } from "../admin/admin-commands.js";
import {
  addCommand,
  type CommandContext,
  ipAddress,
  wholeNumber,
} from "../options/command-context.js";
import { formatFields, formatTable } from "../terminal/table.js";
import { timeText } from "../terminal/time-text.js";
import { targetsOf } from "./describe-response.js";

const HEAD = ["ID", "KIND", "OCCURRED", "RISK", "DESCRIPTION"];

interface ListOptions extends AdminCommandOptions {
  readonly app?: string;
  readonly kind?: EventKind;
  readonly ip?: string;
  readonly account?: string;
  readonly limit: number;
}

/** Adds `riskgate events`, which shows security events that were reported or detected. */
export function addEventsCommand(program: Command, { terminal }: CommandContext): void {
  const events = addCommand(program, "events", {
    summary: "show security events",
    description: "Show security events with their incidents and responses.",
    examples: { "riskgate events list --ip 198.51.100.7": "Events of one address" },
  });
  const { add, list, run, show } = adminCommands(events, terminal);

  list("events", {
    summary: "list security events, newest first",
    example: "riskgate events list --kind sql_injection",
    head: HEAD,
    find: (client, { app, kind, ip, account, limit }: ListOptions) =>
      client.call("GET /events", { query: { applicationId: app, kind, ip, account, limit } }),
    row: rowOf,
  })
    .option("--app <id>", "only events of this application")
    .option("--kind <kind>", "only events of this kind")
    .option("--ip <address>", "only events of this address", ipAddress)
    .option("--account <identifier>", "only events of this account")
    .option("--limit <n>", "maximum number of events", wholeNumber(1, 1000), 100);

  add(
    "show <id>",
    "show a security event with its incidents and responses",
    "riskgate events show 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: AdminCommandOptions) => {
    const shown = await run(options, (client) =>
      client.call("GET /events/{id}", { parts: { id } }),
    );
    const texts = shown.events.map(({ event, incidents, responses }) => {
      const rows = [
        ...incidents.map((one) => ["incident", one.id, one.genre, timeText(one.startedAt)]),
        ...responses.map(({ payload, createdAt }) => [
          "response",
          targetsOf(payload).join(" "),
          timeText(createdAt),
        ]),
        ["payload", JSON.stringify(event.payload)],
      ];
      return formatFields(HEAD, rowOf(event)) + rows.map((row) => formatTable([row])).join("");
    });
    await show(options, shown, texts.join(""));
  });
}

function rowOf({ id, kind, occurredAt, highRisk, payload }: RecordedEvent): string[] {
  const description = payload["humanized_description"];
  const text = typeof description === "string" ? description : "erased";
  return [id, kind, timeText(occurredAt), highRisk ? "high" : "", text];
}

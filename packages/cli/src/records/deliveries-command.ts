import type { Delivery, DeliveryState } from "@riskgate/api-types";
import { type Command, Option } from "commander";
import {
  type AdminCommandOptions,
  type AdminCommands,
  adminCommands,
} from "../admin/admin-commands.js";
import { addCommand, type CommandContext, wholeNumber } from "../options/command-context.js";
import { printable } from "../terminal/printable.js";
import { createProgress } from "../terminal/progress.js";
import { formatFields, formatTable } from "../terminal/table.js";
import { timeText } from "../terminal/time-text.js";
import type { Terminal } from "../terminal/terminal.js";

const HEAD = ["ID", "CREATED", "STATE", "PAYLOADS", "BYTES", "ATTEMPTS", "LAST"];

const STATES: readonly DeliveryState[] = ["pending", "delivered", "dead", "cancelled"];

interface ListOptions extends AdminCommandOptions {
  readonly app?: string;
  readonly state?: DeliveryState;
  readonly limit: number;
}

interface RetryOptions extends AdminCommandOptions {
  readonly state: "dead" | "cancelled";
  readonly app?: string;
  readonly since?: string;
  readonly before?: string;
}

/** Adds `riskgate deliveries`, which shows the delivery log and sends deliveries again. */
export function addDeliveriesCommand(program: Command, { terminal }: CommandContext): void {
  const deliveries = addCommand(program, "deliveries", {
    summary: "show the delivery log, and send deliveries again",
    description:
      "Show the delivery log of a service with every attempt, and send deliveries again.",
    examples: {
      "riskgate deliveries list --state dead": "Deliveries that failed for good",
      "riskgate deliveries retry 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b": "Send one again, now",
    },
  });
  const commands = adminCommands(deliveries, terminal);
  const { add, list, run, show } = commands;

  list("deliveries", {
    summary: "list deliveries, newest first",
    example: "riskgate deliveries list --state dead",
    head: HEAD,
    find: (client, { app, state, limit }: ListOptions) =>
      client.call("GET /deliveries", { query: { applicationId: app, state, limit } }),
    row: rowOf,
  })
    .option("--app <id>", "only deliveries to this application")
    .addOption(new Option("--state <state>", "only deliveries in this state").choices(STATES))
    .option("--limit <n>", "maximum number of deliveries", wholeNumber(1, 1000), 100);

  add(
    "show <id>",
    "show a delivery with every attempt",
    "riskgate deliveries show 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: AdminCommandOptions) => {
    const shown = await run(options, (client) =>
      client.call("GET /deliveries/{id}", { parts: { id } }),
    );
    const attempts = shown.attempts.map((attempt) => [
      `#${attempt.number}`,
      String(attempt.status ?? attempt.error ?? ""),
      `${attempt.durationMs} ms`,
      attempt.location === null ? "" : `redirects to ${attempt.location}`,
      (attempt.excerpt ?? "").slice(0, 200),
    ]);
    await show(options, shown, formatFields(HEAD, rowOf(shown.delivery)) + formatTable(attempts));
  });

  add(
    "retry <id>",
    "send a delivery again, now",
    "riskgate deliveries retry 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: AdminCommandOptions) => {
    const retried = await run(options, (client) =>
      client.call("POST /deliveries/{id}/retry", { parts: { id } }),
    );
    const { delivery } = retried;
    await show(options, retried, `${printable(delivery.id)} is ${printable(delivery.state)}\n`);
  });
  addRetryAll(commands, terminal);
}

function addRetryAll({ add, run, show }: AdminCommands, terminal: Terminal): void {
  add(
    "retry-all",
    "send all deliveries in a state again, now",
    "riskgate deliveries retry-all --since 2026-01-31T12:00:00Z",
  )
    .addOption(
      new Option("--state <state>", "only deliveries in this state")
        .choices(["dead", "cancelled"])
        .default("dead"),
    )
    .option("--app <id>", "only deliveries to this application")
    .option("--since <time>", "only deliveries created at this time or later, in ISO 8601")
    .option("--before <time>", "only deliveries created before this time")
    .action(async (options: RetryOptions) => {
      const { state, app: applicationId, since: createdSince, before: createdBefore } = options;
      const progress = createProgress(terminal.err);
      let retried = 0;
      await run(options, async (client) => {
        const filter = { state, applicationId, createdSince, createdBefore };
        for (let afterSeq = 0; ;) {
          const body = { ...filter, afterSeq };
          const page = await client.call("POST /deliveries/retry", { body });
          retried += page.retried;
          progress.show(`Deliveries sent again: ${retried}`);
          if (page.nextAfterSeq === null) return;
          afterSeq = page.nextAfterSeq;
        }
      }).finally(() => progress.close());
      await show(options, { retried }, `Deliveries sent again: ${retried}\n`);
    });
}

function rowOf(delivery: Delivery): string[] {
  const { id, createdAt, state, payloadCount, bodyBytes, attempts } = delivery;
  const last = delivery.lastStatus ?? delivery.lastError ?? "";
  return [id, timeText(createdAt), state, payloadCount, bodyBytes, attempts, last].map(String);
}

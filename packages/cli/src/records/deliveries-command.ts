import { type Command, Option } from "commander";
import { addAdminOptions, type AdminOptions, withAdmin } from "../admin/admin-access.js";
import { type AdminApi, createAdminApi, type DeliveryView } from "../admin/admin-api.js";
import { type CommandContext, examples, wholeNumber } from "../options/command-context.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { formatTable } from "../terminal/table.js";

interface DeliveriesOptions extends AdminOptions {
  readonly json?: true;
}

interface ListOptions extends DeliveriesOptions {
  readonly app?: string;
  readonly state?: string;
  readonly limit: number;
}

/** `riskgate deliveries`: the log of what was sent. */
export function addDeliveriesCommand(program: Command, { terminal }: CommandContext): void {
  const deliveries = program
    .command("deliveries")
    .summary("see what was delivered, and send it again")
    .description(
      "Show the delivery log of a service with every attempt, and send deliveries again.",
    )
    .addHelpText(
      "after",
      examples(
        ["riskgate deliveries list --state dead", "What was given up"],
        ["riskgate deliveries retry 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b", "Send one again, now"],
      ),
    );
  const add = (usage: string, summary: string, example: string): Command =>
    addAdminOptions(deliveries.command(usage).summary(summary).description(`${summary}.`))
      .option("--json", "print a JSON object")
      .addHelpText("after", examples([example, summary]));
  const run = <T>(options: DeliveriesOptions, work: (api: AdminApi) => Promise<T>): Promise<T> =>
    withAdmin(options, terminal, (client) => work(createAdminApi(client)));

  add("list", "List deliveries, newest first", "riskgate deliveries list --state dead")
    .option("--app <id>", "only those of this application")
    .addOption(
      new Option("--state <state>", "only those in this state").choices([
        "pending",
        "delivered",
        "dead",
        "cancelled",
      ]),
    )
    .option("--limit <n>", "most that are listed", wholeNumber(1, 1000), 100)
    .action(async (options: ListOptions) => {
      const { app, state, limit, json } = options;
      const query = {
        ...(app !== undefined && { applicationId: app }),
        ...(state !== undefined && { state }),
        limit: String(limit),
      };
      const found = await run(options, (api) => api.listDeliveries(query));
      const head = ["ID", "MADE", "STATE", "PAYLOADS", "BYTES", "ATTEMPTS", "LAST"];
      const text = formatTable([head, ...found.map(rowOf)]);
      await terminal.out.write(json ? jsonLine({ deliveries: found }) : text);
    });

  add(
    "show <id>",
    "Show a delivery with every attempt",
    "riskgate deliveries show 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: DeliveriesOptions) => {
    const shown = await run(options, (api) => api.showDelivery(id));
    const attempts = shown.attempts.map((attempt) => [
      `#${attempt.number}`,
      String(attempt.status ?? attempt.error ?? ""),
      `${attempt.durationMs} ms`,
      attempt.location === null ? "" : `redirects to ${attempt.location}`,
      (attempt.excerpt ?? "").slice(0, 200),
    ]);
    const text = formatTable([rowOf(shown.delivery)]) + formatTable(attempts);
    await terminal.out.write(options.json ? jsonLine(shown) : text);
  });

  add(
    "retry <id>",
    "Send a delivery again, now",
    "riskgate deliveries retry 0d9c4e7b1a2f4c6d8e3b5a7f9c1d2e4b",
  ).action(async (id: string, options: DeliveriesOptions) => {
    const delivery = await run(options, (api) => api.retryDelivery(id));
    const text = `${printable(delivery.id)} is ${printable(delivery.state)}\n`;
    await terminal.out.write(options.json ? jsonLine({ delivery }) : text);
  });
}

function rowOf(delivery: DeliveryView): string[] {
  const { id, createdAt, state, payloadCount, bodyBytes, attempts } = delivery;
  const last = delivery.lastStatus ?? delivery.lastError ?? "";
  return [id, createdAt, state, payloadCount, bodyBytes, attempts, last].map(String);
}

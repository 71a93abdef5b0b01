import { acceptShortIds } from "../admin/full-id-client.js";
import type { ReportedEvent } from "@riskgate/api-types";
import { EVENT_KINDS, RiskGateError } from "@riskgate/core";
import { nearest } from "@riskgate/core/internal";
import { type Command, Option } from "commander";
import {
  addAdminOptions,
  type AdminOptions,
  withAdmin,
  withRunning,
} from "../admin/admin-access.js";
import type { AdminClient } from "../admin/admin-client.js";
import {
  addCommand,
  capitalised,
  type CommandContext,
  ipAddress,
} from "../options/command-context.js";
import { memberWords } from "../terminal/member-words.js";
import { jsonLine } from "../terminal/printable.js";
import { formatTable } from "../terminal/table.js";
import { onlyApplication } from "./only-application.js";
import { sendTestPayload } from "./send-test-payload.js";

interface TriggerOptions extends AdminOptions {
  readonly app?: string;
  readonly ip: string;
  readonly account: string;
  readonly json?: true;
}

export function addTriggerCommand(program: Command, { terminal }: CommandContext): void {
  addAdminOptions(
    addCommand(program, "trigger", {
      summary: "report an event to the service, which delivers it",
      description:
        "Report a security event to a service, as an application does, or have it send a test payload. Like any other event, it can open incidents and start playbooks. If no service is running, the event is stored and delivered after the next start; a test payload needs a running service. To send a payload to a URL without a service, use `riskgate send`.",
      examples: {
        "riskgate trigger auth_bruteforce --data-dir data": "Report an attack",
        "riskgate trigger test": "Send a test payload",
      },
    }).argument("<what>", `test, or a kind of event: ${EVENT_KINDS.join(", ")}`),
  )
    .option("--app <id>", "application; optional if the service has only one")
    .addOption(
      new Option("--ip <ip>", "IP address in the event")
        .argParser(ipAddress)
        .default("203.0.113.7"),
    )
    .option("--account <email>", "account in the event", "ada@example.com")
    .option("--json", "print a JSON object")
    .action(async (what: string, { app, ip, account, ...options }: TriggerOptions) => {
      const isKind = (EVENT_KINDS as readonly string[]).includes(what);
      if (!isKind && what !== "test") throw unknown(what);
      // An event can wait for the next start of the service; a test payload cannot.
      const reach = isKind ? withAdmin : withRunning;
      const triggered = await reach(options, terminal, async (service) => {
        const client = acceptShortIds(service);
        const id = app ?? (await onlyApplication(client));
        if (what === "test")
          return { applicationId: id, payload: await sendTestPayload(client, id) };
        const event = {
          event_kind: what,
          ips: [ip],
          application_account_account_keys: [{ name: "email", value: account }],
        };
        return { applicationId: id, ...(await report(client, id, event)) };
      });
      const rows = Object.entries(triggered).map(([name, value]) => [
        capitalised(memberWords(name)),
        value ?? "",
      ]);
      await terminal.out.write(options.json ? jsonLine(triggered) : formatTable(rows));
    });
}

async function report(client: AdminClient, id: string, event: ReportedEvent) {
  const { elements, events } = await client.call("POST /applications/{id}/events", {
    parts: { id },
    body: [event],
  });
  const [element] = elements;
  if (element?.state !== "accepted") {
    throw new RiskGateError("BAD_REQUEST", `the service refused the event: ${element?.reason}`, {
      hint: "Check --ip and --account",
    });
  }
  return { event: element.id, kinds: events.map(({ kind }) => kind).join(", ") };
}

function unknown(what: string): RiskGateError {
  const near = nearest(what.slice(0, 64), EVENT_KINDS);
  const hint = near ? `Did you mean ${near}?` : "`riskgate trigger --help` lists the kinds";
  return new RiskGateError("CONFIG_INVALID", `unknown kind of event ${what}`, { hint });
}

import { randomUUID } from "node:crypto";
import {
  EVENT_CATEGORIES,
  INCIDENT_GENRES,
  PAYLOAD_TYPES,
  RiskGateError,
  isRiskGateError,
} from "@riskgate/core";
import { signDelivery } from "@riskgate/testing";
import { type Command, Option } from "commander";
import {
  addCommand,
  type CommandContext,
  ipAddress,
  wholeNumber,
} from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { type DeliveryBody, deliveryBodies } from "./delivery-bodies.js";
import { EXIT, type ExitCode } from "../terminal/exit-code.js";
import { exchange } from "../http/http-exchange.js";
import { httpUrl } from "../options/http-url.js";
import { readInput } from "../input/input.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { samplePayload, type SampleSubject } from "./sample-payload.js";
import { requireSecret, SIGNING_SECRET } from "../input/secret-source.js";
import { secondsSince } from "../terminal/seconds-since.js";
import type { Terminal } from "../terminal/terminal.js";

interface SendOptions extends SampleSubject {
  readonly url: URL;
  readonly count: number;
  readonly file?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly secretFile?: string;
  readonly json?: true;
}

interface SentDelivery {
  readonly delivery: number;
  readonly payloads: number;
  readonly bytes: number;
  readonly delivered: boolean;
  readonly status?: number;
  /** Target of a redirect, which is not followed. */
  readonly location?: string;
  /** Code of the error, if no answer arrived. */
  readonly error?: string;
  readonly reason?: string;
  readonly elapsedMs: number;
}

export function addSendCommand(program: Command, { terminal, end }: CommandContext): void {
  addCommand(program, "send", {
    summary: "send signed payloads to a webhook",
    description:
      "Send signed payloads to a webhook, in deliveries of at most 1,000 payloads and --max-bytes bytes, one after the other, without retries. Redirects are not followed. The exit code is 0 if every answer was 200 to 299, 1 if one was not, and 3 if one did not arrive.",
    examples: {
      "riskgate send --url http://127.0.0.1:3000/webhooks/security": "Send one test payload",
      "riskgate send --url https://app.example/hook --type security_event --count 2500":
        "Send 2,500 events, which makes three deliveries",
      "riskgate send --url http://127.0.0.1:4000 --type security_response --ip 203.0.113.9":
        "Have an address blocked",
    },
  })
    .requiredOption("--url <url>", "the webhook", httpUrl)
    .addOption(
      new Option("--type <type>", "type of the payloads").choices(PAYLOAD_TYPES).default("test"),
    )
    .option("--count <n>", "number of payloads", wholeNumber(0, 1_000_000), 1)
    .option("--kind <kind>", "event_kind of security events", "auth_bruteforce")
    .option(
      "--category <category>",
      `event_category: ${EVENT_CATEGORIES.join(", ")}`,
      "authentication",
    )
    .addOption(
      new Option("--genre <genre>", "pulse_genre of incidents")
        .choices(Object.keys(INCIDENT_GENRES))
        .default("account_takeover"),
    )
    .option("--ip <ip>", "IP address in the payloads", ipAddress, "203.0.113.7")
    .option("--account <email>", "account in the payloads", "ada@example.com")
    .option(
      "--file <file>",
      "send the JSON array of payloads in this file instead; - is standard input",
    )
    .option("--max-bytes <n>", "largest body", wholeNumber(2, 1_000_000_000), 5_242_880)
    .option("--timeout-ms <ms>", "time limit for each delivery", wholeNumber(1, 600_000), 10_000)
    .option("--secret-file <file>", "file with the signing secret (else RISKGATE_SIGNING_SECRET)")
    .option("--json", "print one JSON object per line for each delivery")
    .action(async (options: SendOptions) => {
      const secret = requireSecret(SIGNING_SECRET, options.secretFile, terminal);
      const payloads =
        options.file === undefined ? samples(options) : await readPayloads(options.file, terminal);
      const startedMs = performance.now();
      let exitCode: ExitCode = EXIT.ok;
      let number = 0;
      let accepted = 0;
      for (const delivery of deliveryBodies(payloads, options.maxBytes)) {
        const sent = await send(delivery, ++number, secret, options);
        await terminal.out.write(options.json ? jsonLine(sent) : lineOf(sent, terminal));
        if (sent.delivered) accepted++;
        if (sent.error !== undefined) exitCode = EXIT.unreachable;
        else if (!sent.delivered && exitCode === EXIT.ok) exitCode = EXIT.no;
      }
      if (number === 0 && !options.json) await terminal.out.write("Nothing to send\n");
      if (number > 1 && !options.json) {
        await terminal.err.write(
          `${number} deliveries: ${accepted} accepted, ${number - accepted} not, in ${secondsSince(startedMs)}\n`,
        );
      }
      end(exitCode);
    });
}

function* samples(options: SendOptions): Generator<object> {
  for (let at = 0; at < options.count; at++) yield samplePayload(options, Date.now());
}

async function readPayloads(file: string, terminal: Terminal): Promise<readonly unknown[]> {
  const text = (await readInput(file, terminal)).toString();
  let payloads: unknown;
  try {
    payloads = JSON.parse(text);
  } catch {
    throw new RiskGateError("CONFIG_INVALID", "expected an array of payloads as JSON");
  }
  return Array.isArray(payloads) ? (payloads as unknown[]) : [payloads];
}

async function send(
  { body, payloads }: DeliveryBody,
  number: number,
  secret: string,
  { url, timeoutMs }: SendOptions,
): Promise<SentDelivery> {
  const sent = { delivery: number, payloads, bytes: body.length };
  const startedMs = performance.now();
  try {
    const { headers } = signDelivery(body, secret, { id: randomUUID() });
    const answer = await exchange(url, { method: "POST", headers, body, timeoutMs });
    const { status, headers: answered } = answer;
    return {
      ...sent,
      delivered: status >= 200 && status <= 299,
      status,
      ...(answered.location !== undefined && { location: answered.location }),
      elapsedMs: Math.round(answer.elapsedMs),
    };
  } catch (error) {
    if (!isRiskGateError(error) || error.code === "CONFIG_INVALID") throw error;
    const elapsedMs = Math.round(performance.now() - startedMs);
    return { ...sent, delivered: false, error: error.code, reason: error.message, elapsedMs };
  }
}

function lineOf(sent: SentDelivery, { out }: Terminal): string {
  const { delivery, payloads, bytes, delivered, status, location, reason, elapsedMs } = sent;
  const result = out.paint(
    delivered ? "good" : "bad",
    status === undefined ? "failed" : String(status),
  );
  const remark = reason ?? (location === undefined ? "" : `redirects to ${location}, not followed`);
  const count = counted(payloads, "payload");
  const line = `delivery ${delivery}: ${result}, ${count}, ${bytes} bytes, ${elapsedMs} ms`;
  return `${line}${remark && `: ${printable(remark)}`}\n`;
}

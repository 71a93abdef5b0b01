import { RiskGateError } from "@riskgate/core";
import type { Command } from "commander";
import { addCommand, type CommandContext, wholeNumber } from "../options/command-context.js";
import { checkApi } from "./api-check.js";
import type { Finding } from "./finding.js";
import { findingLines } from "./finding-lines.js";
import { checkService } from "./service-check.js";
import { checkWebhook } from "./webhook-check.js";
import { counted } from "../terminal/counted.js";
import { secondsSince } from "../terminal/seconds-since.js";
import { EXIT } from "../terminal/exit-code.js";
import { adminUrl as parseAdminUrl, httpUrl, problemOf } from "../options/http-url.js";
import { jsonLine } from "../terminal/printable.js";
import {
  ADMIN_TOKEN,
  API_KEY,
  findSecret,
  REPORT_KEY,
  requireSecret,
  SIGNING_SECRET,
} from "../input/secret-source.js";
import { createAdminClient } from "../admin/admin-client.js";

interface DoctorOptions {
  readonly url?: URL;
  readonly apiKeyFile?: string;
  readonly reportKeyFile?: string;
  readonly webhook?: URL;
  readonly adminUrl?: URL;
  readonly adminTokenFile?: string;
  readonly secretFile?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly json?: true;
}

export function addDoctorCommand(program: Command, { terminal, end }: CommandContext): void {
  addCommand(program, "doctor", {
    summary: "check a lookup API, a webhook and a service",
    description:
      "Check a lookup API, a webhook and a service (its address data, processes, clocks and detection lag), and explain what is wrong and how to fix it. The API is asked about documentation addresses only; the webhook receives test payloads; the last check sends one of them 1,000 times, which `webhookRoute` handles once. The exit code is 0 if nothing is wrong, otherwise 1.",
    examples: {
      "riskgate doctor --url https://risk.example":
        "Check the API, with the key in RISKGATE_API_KEY",
      "riskgate doctor --env-file .env --webhook https://app.example/webhooks/security":
        "Check what an application uses: service, keys and webhook",
      "riskgate doctor --webhook https://app.example/webhooks/security --secret-file secret.txt":
        "Check a webhook",
      "riskgate doctor --admin-url http://127.0.0.1:8081":
        "Check a service (token: RISKGATE_ADMIN_TOKEN)",
    },
  })
    .option("--url <url>", "base URL of the lookup API (else RISKGATE_BASE_URL)", httpUrl)
    .option("--api-key-file <file>", "file with its API key (else RISKGATE_API_KEY)")
    .option(
      "--report-key-file <file>",
      "file with a report key of the same service (else RISKGATE_REPORT_KEY)",
    )
    .option("--webhook <url>", "URL of the webhook", httpUrl)
    .option("--secret-file <file>", "file with its signing secret (else RISKGATE_SIGNING_SECRET)")
    .option(
      "--admin-url <url>",
      "administration URL of the service, or unix: and the path of its socket",
      parseAdminUrl,
    )
    .option("--admin-token-file <file>", "file with its token (else RISKGATE_ADMIN_TOKEN)")
    .option("--max-bytes <n>", "size of a full delivery", wholeNumber(1, 1_000_000_000), 5_242_880)
    .option("--timeout-ms <ms>", "time limit for each request", wholeNumber(1, 600_000), 10_000)
    .option("--json", "print one JSON object per line for each check")
    .action(async (options: DoctorOptions) => {
      const { webhook, adminUrl, timeoutMs, maxBytes } = options;
      const url = options.url ?? baseUrlIn(terminal.env);
      if (url === undefined && webhook === undefined && adminUrl === undefined) {
        throw new RiskGateError(
          "CONFIG_INVALID",
          "expected `--url`, `--webhook` or `--admin-url`",
          {
            hint: "Name the API, the webhook or the administration to check, or set RISKGATE_BASE_URL",
          },
        );
      }
      const token = adminUrl && requireSecret(ADMIN_TOKEN, options.adminTokenFile, terminal);
      const startedMs = performance.now();
      const counts = { ok: 0, warning: 0, fault: 0, skipped: 0 };
      const run = async (findings: AsyncIterable<Finding>): Promise<void> => {
        for await (const finding of findings) {
          counts[finding.state]++;
          await terminal.out.write(
            options.json ? jsonLine(finding) : findingLines(finding, terminal.out),
          );
        }
      };
      if (url) {
        const apiKey = findSecret(API_KEY, options.apiKeyFile, terminal);
        const reportKey = findSecret(REPORT_KEY, options.reportKeyFile, terminal);
        await run(checkApi({ url, apiKey, reportKey, timeoutMs }));
      }
      if (webhook) {
        const secret = findSecret(SIGNING_SECRET, options.secretFile, terminal);
        await run(checkWebhook({ url: webhook, secret, timeoutMs, maxBytes }));
      }
      if (adminUrl && token !== undefined) {
        await run(checkService(createAdminClient(adminUrl, token)));
      }
      if (!options.json)
        await terminal.err.write(`${summaryOf(counts)} in ${secondsSince(startedMs)}\n`);
      end(counts.fault === 0 ? EXIT.ok : EXIT.no);
    });
}

function baseUrlIn(env: NodeJS.Dict<string>): URL | undefined {
  const text = env["RISKGATE_BASE_URL"];
  if (!text) return undefined;
  const problem = problemOf(text);
  if (problem === undefined) return new URL(text);
  throw new RiskGateError("CONFIG_INVALID", `RISKGATE_BASE_URL ${problem}`);
}

function summaryOf({ ok, warning, fault, skipped }: Record<Finding["state"], number>): string {
  return `${ok} ok, ${counted(warning, "warning")}, ${counted(fault, "fault")}, ${skipped} skipped`;
}

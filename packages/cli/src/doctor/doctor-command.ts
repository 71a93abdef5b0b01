import { RiskGateError } from "@riskgate/core";
import type { Command } from "commander";
import { addCommand, type CommandContext, wholeNumber } from "../options/command-context.js";
import { checkApi } from "./api-check.js";
import type { Finding } from "./finding.js";
import { findingLines } from "./finding-lines.js";
import { checkWebhook } from "./webhook-check.js";
import { EXIT } from "../terminal/exit-code.js";
import { httpUrl } from "../options/http-url.js";
import { jsonLine } from "../terminal/printable.js";
import { API_KEY, findSecret, SIGNING_SECRET } from "../input/secret-source.js";

interface DoctorOptions {
  readonly url?: URL;
  readonly apiKeyFile?: string;
  readonly webhook?: URL;
  readonly secretFile?: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly json?: true;
}

export function addDoctorCommand(program: Command, { terminal, end }: CommandContext): void {
  addCommand(program, "doctor", {
    summary: "check a lookup API and a webhook from the outside",
    description:
      "Check a lookup API, a webhook, or both, and explain what is wrong and how to fix it. The API is asked about documentation addresses only; the webhook receives test payloads, 1,000 of them in the last check. The exit code is 0 if nothing is wrong, otherwise 1.",
    examples: {
      "riskgate doctor --url https://risk.example":
        "Check the API, with the key in RISKGATE_API_KEY",
      "riskgate doctor --webhook https://app.example/webhooks/security --secret-file secret.txt":
        "Check a webhook",
    },
  })
    .option("--url <url>", "base URL of the lookup API", httpUrl)
    .option("--api-key-file <file>", "file with its API key (else RISKGATE_API_KEY)")
    .option("--webhook <url>", "URL of the webhook", httpUrl)
    .option("--secret-file <file>", "file with its signing secret (else RISKGATE_SIGNING_SECRET)")
    .option("--max-bytes <n>", "size of a full delivery", wholeNumber(1, 1_000_000_000), 5_242_880)
    .option("--timeout-ms <ms>", "time limit for each request", wholeNumber(1, 600_000), 10_000)
    .option("--json", "print one JSON object per line for each check")
    .action(async (options: DoctorOptions) => {
      const { url, webhook, timeoutMs, maxBytes } = options;
      if (url === undefined && webhook === undefined) {
        throw new RiskGateError("CONFIG_INVALID", "expected `--url`, `--webhook` or both", {
          hint: "Name the API or the webhook to check",
        });
      }
      let faults = 0;
      const run = async (findings: AsyncIterable<Finding>): Promise<void> => {
        for await (const finding of findings) {
          if (finding.state === "fault") faults++;
          await terminal.out.write(
            options.json ? jsonLine(finding) : findingLines(finding, terminal.out),
          );
        }
      };
      if (url) {
        const apiKey = findSecret(API_KEY, options.apiKeyFile, terminal);
        await run(checkApi({ url, apiKey, timeoutMs }));
      }
      if (webhook) {
        const secret = findSecret(SIGNING_SECRET, options.secretFile, terminal);
        await run(checkWebhook({ url: webhook, secret, timeoutMs, maxBytes }));
      }
      end(faults === 0 ? EXIT.ok : EXIT.no);
    });
}

import { access, constants, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { RiskGateError } from "@riskgate/core";
import { NO_FOLLOW } from "@riskgate/core/internal";
import type { ConformanceCheck, ConformanceResult } from "@riskgate/testing";
import { type Command, Option } from "commander";
import { addCommand, type CommandContext, wholeNumber } from "../options/command-context.js";
import { conformanceJunit } from "./conformance-junit.js";
import { type ConformanceReport, conformanceReport } from "./conformance-report.js";
import { caseText, summaryText } from "./conformance-text.js";
import { EXIT } from "../terminal/exit-code.js";
import { httpUrl, isLoopback } from "../options/http-url.js";
import { jsonLine } from "../terminal/printable.js";
import { API_KEY, requireSecret, SIGNING_SECRET } from "../input/secret-source.js";
import { createProgress } from "../terminal/progress.js";
import type { Output } from "../terminal/terminal.js";

interface ReportOptions {
  readonly url: URL;
  readonly only?: readonly string[];
  readonly strict?: boolean;
  readonly format: "text" | "json" | "junit";
  readonly json?: true;
  readonly output?: string;
  readonly timeoutMs: number;
}

interface WebhookOptions extends ReportOptions {
  readonly secretFile?: string;
  readonly slowMs: number;
}

interface LookupOptions extends ReportOptions {
  readonly apiKeyFile?: string;
}

interface Subject<Target> {
  readonly name: string;
  readonly contract: readonly ConformanceCheck<Target>[];
  readonly target: Target;
}

export function addConformanceCommand(program: Command, context: CommandContext): void {
  const conformance = addCommand(program, "conformance", {
    summary: "test a receiver or a lookup API against its contract",
    description:
      "Test a receiver of webhooks or a lookup API over HTTP, in whatever language it is written. A broken requirement of the specification fails, a missed recommendation only warns. The exit code is 0 if every requirement holds, otherwise 1.",
    examples: {
      "riskgate conformance webhook --url http://127.0.0.1:3000/hook --json":
        "Test a receiver, and print a JSON object",
    },
  });
  addWebhook(conformance, context);
  addLookup(conformance, context);
}

function addWebhook(conformance: Command, context: CommandContext): void {
  addReportOptions(
    addCommand(conformance, "webhook", {
      summary: "test a receiver of webhooks",
      description:
        "Send signed, forged and broken deliveries to a receiver, about 5,200 payloads and 55 MB in all, and check its responses. Use a test instance: it will handle the signed ones. RCV-01 always runs.",
      examples: {
        "riskgate conformance webhook --url http://127.0.0.1:3000/hook":
          "Test a receiver, with the secret in RISKGATE_SIGNING_SECRET",
        "riskgate conformance webhook --url http://127.0.0.1:3000/hook --strict \\\n      --secret-file secret.txt --format junit --output report.xml":
          "On a build server, with the recommendations as requirements",
      },
    }),
    "RCV-01,RCV-12",
  )
    .option("--secret-file <file>", "file with its signing secret (else RISKGATE_SIGNING_SECRET)")
    .option(
      "--slow-ms <ms>",
      "time after which it must abort a body that never ends",
      wholeNumber(1, 600_000),
      30_000,
    )
    .action(async (options: WebhookOptions) => {
      const secret = requireSecret(SIGNING_SECRET, options.secretFile, context.terminal);
      const { url, timeoutMs, slowMs } = options;
      const { receiverContract: contract } = await import("@riskgate/testing");
      const target = { url, secret, timeoutMs, slowMs };
      await run({ name: "webhook", contract, target }, options, context);
    });
}

function addLookup(conformance: Command, context: CommandContext): void {
  addReportOptions(
    addCommand(conformance, "lookup", {
      summary: "test a lookup API",
      description:
        "Send a lookup API about 130 requests for documentation addresses, some without a valid key, and check its responses. API-01 always runs.",
      examples: {
        "riskgate conformance lookup --url https://risk.example --api-key-file key":
          "Test a lookup API",
      },
    }),
    "API-11,API-13",
  )
    .option("--api-key-file <file>", "file with its API key (else RISKGATE_API_KEY)")
    .action(async (options: LookupOptions) => {
      const { url, timeoutMs } = options;
      const apiKey = requireSecret(API_KEY, options.apiKeyFile, context.terminal);
      if (url.protocol === "http:" && !isLoopback(url)) {
        throw new RiskGateError("CONFIG_INVALID", "the base URL begins with http://", {
          hint: "Use https://: otherwise others can read the key",
        });
      }
      const { lookupApiContract: contract } = await import("@riskgate/testing");
      await run({ name: "lookup", contract, target: { url, apiKey, timeoutMs } }, options, context);
    });
}

function addReportOptions(command: Command, ids: string): Command {
  return command
    .requiredOption("--url <url>", "URL to test", httpUrl)
    .option("--only <ids>", `run only these cases, for example ${ids}`, idsOf)
    .option("--strict", "turn warnings into failures")
    .addOption(
      new Option("--format <format>", "format of the report")
        .choices(["text", "json", "junit"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .option("--output <file>", "write the report to a file instead of standard output")
    .option("--timeout-ms <ms>", "time limit for each response", wholeNumber(1, 600_000), 10_000);
}

function idsOf(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(",").map((id) => id.trim().toUpperCase())];
}

async function run<Target>(
  { name, contract, target }: Subject<Target>,
  { url, only, strict = false, format, json, output }: ReportOptions,
  { terminal: { out, err }, end }: CommandContext,
): Promise<void> {
  const { runConformance } = await import("@riskgate/testing");
  const isText = format === "text" && !json;
  // Checked before the run, which takes a minute.
  if (output !== undefined) await storing(output, access(dirname(resolve(output)), constants.W_OK));
  const cases: ConformanceResult[] = [];
  const progress = createProgress(err);
  try {
    for await (const result of runConformance(contract, target, { only, strict })) {
      cases.push(result);
      // Printed one by one, because the whole run takes a minute.
      if (isText && output === undefined) await out.write(caseText(result, out));
      else progress.show(`${result.id}: ${result.state}`);
    }
  } finally {
    progress.close();
  }
  const report = conformanceReport(name, url, cases);
  if (output !== undefined) {
    const text = textOf(report, isText ? "text" : format, json);
    await storing(output, writeFile(output, text, { flag: NO_FOLLOW.overwrite }));
    await err.write(summaryText(report).trimStart());
  } else await out.write(isText ? summaryText(report) : textOf(report, format, json));
  end(report.failed === 0 ? EXIT.ok : EXIT.no);
}

function textOf(
  report: ConformanceReport,
  format: ReportOptions["format"],
  json: true | undefined,
): string {
  if (json || format === "json") return jsonLine(report);
  if (format === "junit") return conformanceJunit(report);
  const paint: Output["paint"] = (_, text) => text;
  return report.cases.map((result) => caseText(result, { paint })).join("") + summaryText(report);
}

async function storing(file: string, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    throw new RiskGateError("STORE_FAILED", `the report cannot be written: ${file}`, {
      cause,
      hint: "Check the path of --output and its permissions",
    });
  }
}

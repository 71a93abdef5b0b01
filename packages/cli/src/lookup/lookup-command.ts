import { isRiskGateError, type RiskGateError } from "@riskgate/core";
import { outcomeOf } from "@riskgate/core/internal";
import type { Command } from "commander";
import { addCommand, type CommandContext, score, wholeNumber } from "../options/command-context.js";
import { adminUrl } from "../options/http-url.js";
import { describeAssessment } from "./describe-assessment.js";
import { EXIT, exitCodeOf, type ExitCode } from "../terminal/exit-code.js";
import { readLines } from "../input/input.js";
import { inOrder } from "./in-order.js";
import {
  type Answer,
  openLookupSource,
  type SourceOptions,
  type Subject,
} from "./lookup-source.js";
import { jsonLine, printable } from "../terminal/printable.js";
import { createProgress } from "../terminal/progress.js";
import { secondsSince } from "../terminal/seconds-since.js";
import type { Output, Terminal } from "../terminal/terminal.js";

interface LookupOptions extends SourceOptions {
  readonly failAbove?: number;
  readonly json?: true;
  readonly quiet?: true;
}

interface Result {
  readonly identifier: string;
  readonly answer?: Answer;
  readonly error?: RiskGateError;
}

export function addLookupCommand(program: Command, context: CommandContext): void {
  const lookup = addCommand(program, "lookup", {
    summary: "look up the risk of addresses",
    description: "Look up the risk of IP addresses or email addresses.",
  });
  addSubject(lookup, context, "ip", "203.0.113.7");
  addSubject(lookup, context, "email", "ada@example.com");
}

function addSubject(
  lookup: Command,
  { terminal, end }: CommandContext,
  subject: Subject,
  example: string,
): void {
  const name = subject === "ip" ? "IP addresses" : "email addresses";
  const refused =
    subject === "ip"
      ? "The exit code is 2 if an argument is not an IP address, 1 if a line is not"
      : "A malformed address has a score too. The exit code is 2 if an argument is blank or longer than 320 bytes, 1 if a line is longer";
  addCommand(lookup, subject, {
    summary: `look up ${name}`,
    description: `Look up ${name} from the arguments or from the lines of standard input. The engine inside the command answers, or a service if --url or --admin-url is given. ${refused}, or if a score is above --fail-above. It is 3 or 4 if the service did not answer all of them.`,
    examples: {
      [`riskgate lookup ${subject} ${example} --explain`]: "One address, with reasons",
      [`riskgate lookup ${subject} --json < addresses.txt > risks.jsonl`]:
        "Every line of a file, with progress on the terminal",
      [`riskgate lookup ${subject} ${example} --url https://risk.example`]:
        "Ask a service, with the key in RISKGATE_API_KEY",
      [`riskgate lookup ${subject} ${example} --explain --admin-url http://127.0.0.1:8081`]:
        "Ask it for the reasons, with the token in RISKGATE_ADMIN_TOKEN",
    },
  })
    .argument("[addresses...]", "addresses to look up; default the lines of standard input")
    .option("--url <url>", "base URL of a service to ask instead of the engine")
    .option("--api-key-file <file>", "file with its API key (else RISKGATE_API_KEY)")
    .option(
      "--timeout-ms <ms>",
      "time limit for each lookup with --url",
      wholeNumber(1, 600_000),
      2000,
    )
    .option("--concurrency <n>", "concurrent lookups with --url", wholeNumber(1, 1024), 16)
    .option("--feeds-dir <directory>", "directory with feeds for the engine: tor.txt, vpn-ipv4.txt")
    .option("--geo <file>", "MaxMind DB file of cities or countries for the engine")
    .option("--asn <file>", "MaxMind DB file of autonomous systems for the engine")
    .option("--explain", "show each reason for a score")
    .option("--admin-url <url>", "administration of a service to ask with --explain", adminUrl)
    .option("--app <id>", "explain the score that this application receives")
    .option("--admin-token-file <file>", "file with its token (else RISKGATE_ADMIN_TOKEN)")
    .option("--fail-above <score>", "exit code 1 if a score is above this", score)
    .option("--json", "print one JSON object per line for each address")
    .option("--quiet", "show no progress")
    .action(async (addresses: readonly string[], options: LookupOptions) => {
      const source = await openLookupSource(options, terminal);
      try {
        // One invalid line among many is a result, not incorrect usage.
        const [identifiers, refusal] =
          addresses.length === 0 ? [readLines(terminal), EXIT.no] : [addresses, EXIT.usage];
        const ask = (identifier: string) => source.ask(subject, identifier);
        const questions = { identifiers, refusal, ask, concurrency: source.concurrency };
        end(await lookUp(questions, options, terminal));
      } finally {
        await source.close();
      }
    });
}

interface Questions {
  readonly identifiers: AsyncIterable<string> | Iterable<string>;
  readonly refusal: ExitCode;
  readonly ask: (identifier: string) => Promise<Answer>;
  readonly concurrency: number;
}

async function lookUp(
  { identifiers, refusal, ask, concurrency }: Questions,
  { failAbove = Infinity, json, quiet }: LookupOptions,
  { out, err }: Terminal,
): Promise<ExitCode> {
  const startedMs = performance.now();
  const progress = createProgress(err);
  const counts = { done: 0, flag: 0, reject: 0, failed: 0 };
  let exitCode: ExitCode = EXIT.ok;
  const resultOf = async (identifier: string): Promise<Result> => {
    try {
      return { identifier, answer: await ask(identifier) };
    } catch (error) {
      if (!isRiskGateError(error)) throw error;
      return { identifier, error };
    }
  };

  for await (const result of inOrder(identifiers, resultOf, concurrency)) {
    counts.done++;
    const outcome = result.answer && outcomeOf(result.answer.assessment.risk_score);
    if (outcome === undefined) counts.failed++;
    else if (outcome === "flag" || outcome === "reject") counts[outcome]++;
    exitCode = worse(exitCode, codeOf(result, failAbove, refusal));
    await out.write(json ? jsonLine(jsonOf(result)) : textOf(result, out));
    // On a terminal, the changing line would appear between the results.
    if (!quiet && !out.isTerminal) progress.show(summaryOf(counts));
  }

  const isSummed = !quiet && !json && counts.done !== 1;
  progress.close(isSummed ? `${summaryOf(counts)} in ${secondsSince(startedMs)}` : undefined);
  return exitCode;
}

function codeOf({ answer, error }: Result, failAbove: number, refusal: ExitCode): ExitCode {
  if (answer) return answer.assessment.risk_score > failAbove ? EXIT.no : EXIT.ok;
  const code = exitCodeOf(error);
  return code === EXIT.usage ? refusal : code;
}

function worse(one: ExitCode, other: ExitCode): ExitCode {
  return other > one ? other : one;
}

function summaryOf(counts: { done: number; flag: number; reject: number; failed: number }): string {
  const { done, flag, reject, failed } = counts;
  return `${done} looked up: ${flag} to flag, ${reject} to reject, ${failed} failed`;
}

function jsonOf({ identifier, answer, error }: Result): object {
  if (answer) return { identifier, ...answer };
  return { identifier, error: { code: error?.code, message: error?.message, hint: error?.hint } };
}

function textOf({ identifier, answer, error }: Result, output: Output): string {
  if (answer) return describeAssessment(identifier, answer, output);
  const label = output.paint("bad", "failed");
  return `${printable(identifier)}  ${label}  ${error?.code}: ${printable(error?.message ?? "")}\n`;
}

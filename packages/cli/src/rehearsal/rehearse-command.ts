import { type FlagOutcomes, isRiskGateError, RiskGateError } from "@riskgate/core";
import { createIdentityDigest } from "@riskgate/core/log";
import { openRules, type RulesInput } from "@riskgate/core/rules";
import {
  createRejudge,
  type Rejudge,
  type RejudgeOptions,
  replaceFile,
} from "@riskgate/core/internal";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addCommand, type CommandContext, listOf, score } from "../options/command-context.js";
import { counted } from "../terminal/counted.js";
import { readLines } from "../input/input.js";
import { withOptions } from "../options/option-refusal.js";
import { jsonLine } from "../terminal/printable.js";
import { createProgress, type Progress } from "../terminal/progress.js";
import { curveSvg } from "./curve-svg.js";
import { readLabels } from "./read-labels.js";
import { type LogFile, openLogFile } from "./log-file.js";
import { Rehearsal, type RehearsalResult } from "./rehearsal.js";
import { rehearsalText } from "./rehearsal-text.js";
import { LOG_SECRET, requireSecret } from "../input/secret-source.js";
import type { Terminal } from "../terminal/terminal.js";

interface RehearseOptions {
  readonly log?: readonly string[];
  readonly flagAbove?: number;
  readonly challengeAbove?: number;
  readonly rejectAbove?: number;
  readonly reject?: readonly string[];
  readonly challenge?: readonly string[];
  readonly flag?: readonly string[];
  readonly attackMode?: "on" | "off";
  readonly rules?: string;
  readonly labels?: string;
  readonly since?: string;
  readonly format: "table" | "json";
  readonly json?: true;
  readonly plot?: string;
}

interface DigestOptions {
  readonly secretFile?: string;
  readonly label?: string;
  readonly providerRules: boolean;
  readonly json?: true;
}

export function addRehearseCommand(program: Command, { terminal }: CommandContext): void {
  const rehearse = addCommand(program, "rehearse", {
    summary: "try other thresholds on a log of decisions",
    description:
      "Decide logged decisions again, and show the changes by route and day, with the signals behind them. A threshold that you omit does not change, unless it would be out of order; the result shows the thresholds used.",
    examples: {
      "riskgate rehearse --log decisions.jsonl --reject-above 70 --flag-above 30":
        "See the effect of lower thresholds",
      "riskgate rehearse --log decisions.jsonl --labels labels.csv --plot curves.svg":
        "Compare thresholds by how much known fraud they find",
    },
  })
    .option("--log <file>", "log of decisions, plain or gzip; repeatable", listOf)
    .option("--flag-above <score>", "flag scores above this", score)
    .option("--challenge-above <score>", "challenge scores above this", score)
    .option("--reject-above <score>", "reject scores above this", score)
    .option("--reject <flags>", "reject these flags, such as tor,disposable", flagsOf)
    .option("--challenge <flags>", "challenge these flags", flagsOf)
    .option("--flag <flags>", "flag these flags", flagsOf)
    .addOption(
      new Option(
        "--attack-mode <state>",
        "challenge strangers while the recorded attack mode was on, or not",
      ).choices(["on", "off"]),
    )
    .option("--rules <file>", "operator rules to use instead of the original ones")
    .option(
      "--labels <file>",
      "known fraud and legitimate decisions, as lines of `digest,label` or `decisionId,label`",
    )
    .option("--since <date>", "only decisions from this day or moment on, in UTC", instant)
    .addOption(
      new Option("--format <format>", "format of the result")
        .choices(["table", "json"])
        .default("table"),
    )
    .option("--json", "the same as --format json")
    .option("--plot <file>", "write precision and recall as an SVG picture; needs --labels")
    .action(async (options: RehearseOptions) => {
      const result = await rehearseLogs(options, terminal);
      if (options.plot !== undefined) await writePlot(options.plot, result, options);
      const isTable = options.format === "table" && !options.json;
      const text = isTable
        ? rehearsalText(result, options)
        : jsonLine({ ...settingsOf(options), ...result });
      await terminal.out.write(text);
    });

  addCommand(rehearse, "digest", {
    summary: "print digests as they appear in a log",
    description:
      "Read IP addresses and emails from standard input, one per line, and print their digests, to label them or to find them in a log.",
    examples: { "riskgate rehearse digest --label fraud < banned.txt": "Label known fraud" },
  })
    .option("--secret-file <file>", "file with the secret of the log (else RISKGATE_LOG_SECRET)")
    .addOption(
      new Option("--label <label>", "label to add to each").choices(["fraud", "legitimate"]),
    )
    .option("--no-provider-rules", "for a log with `providerRules: false`")
    .option("--json", "print one JSON object per line; --labels reads both formats")
    .action(async (_: DigestOptions, command: Command) => {
      // Both commands have `--json`, and the first one consumes it.
      const options = command.optsWithGlobals<DigestOptions>();
      const { label, providerRules, secretFile, json } = options;
      const secret = requireSecret(LOG_SECRET, secretFile, terminal);
      const digest = createIdentityDigest({ secret, providerRules });
      let isFirst = true;
      for await (const identifier of readLines(terminal)) {
        if ((isFirst && COLUMN.test(identifier)) || COLUMNS.test(identifier)) throw notOneEach();
        isFirst = false;
        const made = digest.ip(identifier) ?? digest.email(identifier);
        if (made === undefined) throw notOneEach();
        const columns = label === undefined ? made : `${made},${label}`;
        await terminal.out.write(json ? jsonLine({ digest: made, label }) : `${columns}\n`);
      }
    });
}

/** The head of a column, whose digest would be a label of nobody. */
const COLUMN = /^"?(?:account|address|email|ip|login|user)"?$/i;

/** Several columns; a quoted local part may have a comma. */
const COLUMNS = /^[^"]*,/;

function notOneEach(): RiskGateError {
  return new RiskGateError(
    "INVALID_ARGUMENT",
    "expected one IP or email address per line, at most 320 bytes",
    { hint: "Remove the names of columns, and all other columns" },
  );
}

async function rehearseLogs(
  options: RehearseOptions,
  terminal: Terminal,
): Promise<RehearsalResult> {
  const names = options.log ?? refuse("--log is missing: name the log of decisions");
  if (options.plot !== undefined && options.labels === undefined) refuse("--plot needs --labels");
  const rules = options.rules === undefined ? undefined : await readRuleFile(options.rules);
  const rejudge = openRejudge({ ...settingsOf(options).thresholds, ...(rules && { rules }) });
  const labels = options.labels === undefined ? undefined : await readLabels(options.labels);
  const rehearsal = new Rehearsal({
    judge: (record) => rejudge(record).outcome,
    thresholds: options,
    since: options.since,
    labels,
  });
  const progress = createProgress(terminal.err);
  const files: LogFile[] = [];
  try {
    // Opens all files first, so that a wrong name is found before anything is read.
    for (const name of names) files.push(await openLogFile(name));
    await readAll(files, rehearsal, progress);
  } finally {
    progress.close();
    for (const file of files) await file.close();
  }
  const result = rehearsal.result();
  if (result.decisions + result.before === 0) throw nothingRead(result, names);
  return result;
}

function openRejudge(options: RejudgeOptions): Rejudge {
  try {
    return createRejudge(options);
  } catch (error) {
    if (!isRiskGateError(error)) throw error;
    throw new RiskGateError(error.code, withOptions(error.message), { cause: error });
  }
}

/** A log without any decision has no result; usually the file is not a log. */
function nothingRead(
  { lines, firstBroken, damaged }: RehearsalResult,
  names: readonly string[],
): RiskGateError {
  const [first] = firstBroken;
  const reason =
    damaged.length > 0
      ? "its compressed data is damaged"
      : first
        ? `none of ${counted(lines, "line")} is a record; the first: ${first.log}:${first.line}`
        : "it is empty";
  return new RiskGateError("CONFIG_INVALID", `no decision in ${names.join(", ")}: ${reason}`, {
    hint: "A log has one decision per line, as JSON. A gate writes it if its option `log` is a createDecisionLog: docs/rehearsal.md",
  });
}

async function readAll(
  files: readonly LogFile[],
  rehearsal: Rehearsal,
  progress: Progress,
): Promise<void> {
  const allBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let earlierBytes = 0;
  for (const file of files) {
    let line = 0;
    const isWhole = await file.readLines(
      (text) => rehearsal.add(text, file.name, ++line),
      (bytes) => {
        const share = Math.floor((100 * (earlierBytes + bytes)) / allBytes);
        // A pipe has no length.
        const text = allBytes > 0 ? `, ${share}%` : "";
        progress.show(`${rehearsal.lines.toLocaleString("en-US")} lines${text}`);
      },
    );
    earlierBytes += file.bytes;
    if (!isWhole) rehearsal.markDamaged(file.name);
  }
}

/** Reads rules once, in the format of `openRules`. */
async function readRuleFile(path: string): Promise<RulesInput> {
  const file = await openRules(path, { pollMs: 0 });
  try {
    return file.rules;
  } finally {
    file.close();
  }
}

function flagsOf(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(",").map((flag) => flag.trim())];
}

function settingsOf(options: RehearseOptions): {
  readonly thresholds: RejudgeOptions;
  readonly since: string | null;
} {
  const { flagAbove, challengeAbove, rejectAbove, since, reject, challenge, flag, attackMode } =
    options;
  const outcomes = {
    ...(reject && { reject }),
    ...(challenge && { challenge }),
    ...(flag && { flag }),
  };
  const thresholds = {
    // `createRejudge` checks the names.
    ...(Object.keys(outcomes).length > 0 && { outcomes: outcomes as FlagOutcomes }),
    ...(flagAbove !== undefined && { flagAbove }),
    ...(challengeAbove !== undefined && { challengeAbove }),
    ...(rejectAbove !== undefined && { rejectAbove }),
    ...(attackMode !== undefined && { attackMode: attackMode === "on" }),
  };
  return { thresholds, since: since ?? null };
}

async function writePlot(
  path: string,
  { labels }: RehearsalResult,
  options: RehearseOptions,
): Promise<void> {
  const marks = (["flag", "challenge", "reject"] as const).flatMap((name) => {
    const threshold = options[`${name}Above`];
    return threshold === undefined ? [] : [{ name, threshold }];
  });
  try {
    await replaceFile(path, [curveSvg(labels?.thresholds ?? [], marks)]);
  } catch (cause) {
    throw new RiskGateError("STORE_FAILED", `the picture cannot be written: ${path}`, {
      cause,
      hint: "Check the path of --plot and its permissions",
    });
  }
}

/** Parses a day or moment to the format of records, whose texts sort by time. */
function instant(text: string): string {
  const ms = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError("expected a time such as 2026-01-31 or 2026-01-31T12:00:00Z");
  }
  return new Date(ms).toISOString();
}

function refuse(message: string): never {
  throw new RiskGateError("CONFIG_INVALID", message, { hint: "See riskgate rehearse --help" });
}

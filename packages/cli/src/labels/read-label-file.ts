import type { ReportedLabel } from "@riskgate/api-types";
import { isRiskGateError, type LabelReport, RiskGateError } from "@riskgate/core";
import { checkLabel } from "@riskgate/core/internal";
import type { IdentityDigest } from "@riskgate/core/log";
import { openLogFile } from "../rehearsal/log-file.js";
import { csvFields } from "./csv-line.js";

export interface BadLine {
  readonly line: number;
  readonly reason: string;
}

export interface LabelFile {
  readonly labels: readonly ReportedLabel[];
  /** The first lines that are not labels. */
  readonly bad: readonly BadLine[];
  readonly badLines: number;
}

export interface LabelFileOptions {
  /** Label of lines that have none. */
  readonly label: LabelReport["label"] | undefined;
  /** Digests of the decision log, which are added to labels of accounts. */
  readonly digest: IdentityDigest | undefined;
}

/** Kept in memory, each in about 300 bytes. */
const MAX_LABELS = 1_000_000;

const SHOWN_BAD = 10;

const MEMBERS = ["decisionId", "account", "digest", "label", "at"] as const;

type Members = Readonly<Partial<Record<(typeof MEMBERS)[number], unknown>>>;

/** Gates create no other ids. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Time with an offset, or a day in UTC. */
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads labels from CSV whose first line names the columns, or from JSON lines. Other columns and
 * members are ignored, because exports of payment providers have many.
 *
 * @throws {RiskGateError} CONFIG_INVALID if the file cannot be read, or has too many labels.
 */
export async function readLabelFile(name: string, options: LabelFileOptions): Promise<LabelFile> {
  const labels: ReportedLabel[] = [];
  const bad: BadLine[] = [];
  let badLines = 0;
  let columns: readonly string[] | undefined;
  let line = 0;
  const add = (text: string | undefined): void => {
    line++;
    const trimmed = text?.replace(/^\ufeff/, "").trim();
    if (trimmed === "") return;
    if (trimmed !== undefined && !trimmed.startsWith("{") && !columns) {
      columns = columnsIn(trimmed, name, options);
      return;
    }
    try {
      labels.push(labelIn(trimmed, columns, options));
    } catch (error) {
      if (!isRiskGateError(error)) throw error;
      badLines++;
      if (bad.length < SHOWN_BAD) bad.push({ line, reason: error.message });
    }
    if (labels.length > MAX_LABELS) throw refusal(`more than 1,000,000 labels in ${name}`);
  };
  const file = await openLogFile(name);
  try {
    if (!(await file.readLines(add, () => {})))
      throw refusal(`${name}: its compressed data is damaged`);
  } finally {
    await file.close();
  }
  return { labels, bad, badLines };
}

function columnsIn(line: string, name: string, { label }: LabelFileOptions): readonly string[] {
  const columns = csvFields(line) ?? [];
  const isNamed = columns.includes("decisionId") || columns.includes("account");
  if (isNamed && (columns.includes("label") || label !== undefined)) return columns;
  throw refusal(`${name}: the first line must name the columns`, {
    hint: "Name the columns `decisionId` or `account`, and `label` unless you pass --label; or write JSON lines",
  });
}

function labelIn(
  line: string | undefined,
  columns: readonly string[] | undefined,
  { label: otherwise, digest }: LabelFileOptions,
): ReportedLabel {
  if (line === undefined) throw refusal("it is too long");
  const given = line.startsWith("{") ? membersIn(line) : fieldsIn(line, columns ?? []);
  const { at, label = otherwise, ...rest } = given;
  const { decisionId } = rest;
  if (typeof decisionId === "string" && !UUID.test(decisionId)) {
    throw refusal("`decisionId` must be the id of a decision, a UUID");
  }
  const { atMs, ...checked } = checkLabel({
    ...(rest as Partial<LabelReport>),
    label: label as LabelReport["label"],
    ...(at !== undefined && { at: timeOf(at) }),
  });
  const made = checked.digest ?? digest?.email(checked.account);
  return {
    ...checked,
    ...(made !== undefined && { digest: made }),
    ...(atMs !== undefined && { at: new Date(atMs).toISOString() }),
  } as ReportedLabel;
}

function fieldsIn(line: string, columns: readonly string[]): Members {
  const fields = csvFields(line);
  if (!fields) throw refusal("its quotes are wrong");
  if (fields.length !== columns.length) {
    throw refusal(`it has ${fields.length} fields, and the first line names ${columns.length}`);
  }
  return Object.fromEntries(
    MEMBERS.flatMap((name) => {
      const field = fields[columns.indexOf(name)];
      return field === undefined || field === "" ? [] : [[name, field]];
    }),
  );
}

function membersIn(line: string): Members {
  try {
    const value = JSON.parse(line) as Record<string, unknown>;
    return Object.fromEntries(
      MEMBERS.flatMap((name) =>
        Object.hasOwn(value, name) ? [[name, value[name] ?? undefined]] : [],
      ),
    );
  } catch {
    throw refusal("it is not JSON");
  }
}

function timeOf(value: unknown): Date {
  const date = typeof value === "string" && TIME.test(value) ? new Date(value) : undefined;
  if (date && !Number.isNaN(date.getTime())) return date;
  throw refusal("`at` must be a time such as 2026-01-31 or 2026-01-31T12:00:00Z");
}

function refusal(message: string, more: { readonly hint?: string } = {}): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message, {
    hint: "Correct the file and import it again; nothing was imported",
    ...more,
  });
}

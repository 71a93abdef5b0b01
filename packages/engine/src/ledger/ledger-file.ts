import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { makeDirectory, replaceFile } from "@riskgate/core/internal";
import type { EventHistories } from "./event-histories.js";
import type { LedgerBooks, LedgerSettings } from "./memory-ledger.js";

/**
 * Content of the first line. Keys depend on the settings, so a ledger reads only files written with
 * the same ones.
 */
function headOf({ ipv6Prefix, providerRules }: LedgerSettings): object {
  return { format: "riskgate-ledger", version: 1, ipv6Prefix, providerRules };
}

/** Entries written at once; in between, the process does other work. */
const PIECE = 1000;

/**
 * Writes the books to a file, readable by its owner only: one line of JSON for each address and
 * account, followed by a digest of all lines.
 * @throws {RiskGateError} STORE_FAILED; the old file then remains.
 */
export async function writeLedgerFile(
  path: string,
  books: LedgerBooks,
  settings: LedgerSettings,
): Promise<void> {
  try {
    await makeDirectory(dirname(path));
    await replaceFile(path, linesOf(books, settings), 0o600);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === "ENOSPC" ? "the disk is full" : (code ?? "unknown reason");
    throw new RiskGateError("STORE_FAILED", `the ledger cannot be written: ${reason}`, {
      cause,
      hint: "Free space in the directory of the ledger, or grant access to it",
    });
  }
}

async function* linesOf(books: LedgerBooks, settings: LedgerSettings): AsyncGenerator<string> {
  const digest = createHash("sha256");
  const signed = (text: string): string => {
    digest.update(text);
    return text;
  };
  yield signed(`${JSON.stringify(headOf(settings))}\n`);
  for (const name of ["ips", "emails"] as const) {
    const book = books[name];
    const keys = book.keys();
    for (let start = 0; start < keys.length; start += PIECE) {
      const lines = keys.slice(start, start + PIECE).map((key) => lineOf(name, key, book));
      yield signed(lines.join(""));
    }
  }
  yield `${JSON.stringify({ sha256: digest.digest("hex") })}\n`;
}

/** A key deleted in the meantime has no line. */
function lineOf(name: keyof LedgerBooks, key: string, book: EventHistories): string {
  const rows = book.rowsOf(key);
  if (rows.length === 0) return "";
  const numbers = rows.map(({ lastAtMs, events, highRisk }) => [lastAtMs, events, highRisk]);
  return `${JSON.stringify([name, key, numbers])}\n`;
}

/**
 * Reads a file into empty books. A missing file counts as empty.
 * @throws {RiskGateError} CONFIG_INVALID for any other file that is not complete.
 */
export async function readLedgerFile(
  path: string,
  books: LedgerBooks,
  settings: LedgerSettings,
): Promise<void> {
  const damaged = (problem: string, cause?: unknown): RiskGateError =>
    new RiskGateError("CONFIG_INVALID", `the ledger ${path} cannot be used: ${problem}`, {
      cause,
      hint: "Restore it from a copy, or move it away to start with an empty ledger",
    });
  const digest = createHash("sha256");
  const head = JSON.stringify(headOf(settings));
  const sinceMs = settings.now() - settings.retentionMs;
  let last: string | undefined;
  let number = 0;
  try {
    const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Infinity });
    for await (const line of lines) {
      number++;
      if (last !== undefined) throw damaged(`line ${number} is behind its end`);
      if (line.startsWith('{"sha256":')) {
        last = line;
        continue;
      }
      digest.update(`${line}\n`);
      if (number === 1 && line !== head) throw damaged(problemOf(line, head));
      if (number > 1 && !readLine(line, books, sinceMs)) throw damaged(`line ${number} is damaged`);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw isRiskGateError(error) ? error : damaged(code ?? "it cannot be read", error);
  }
  if (last === undefined) throw damaged("its end is missing");
  if (last !== JSON.stringify({ sha256: digest.digest("hex") })) {
    throw damaged("its content has changed since it was written");
  }
}

function problemOf(line: string, head: string): string {
  if (!line.startsWith('{"format":"riskgate-ledger",')) return "it is not a ledger";
  return `it was written with other settings or by another version: expected ${head}`;
}

function readLine(line: string, books: LedgerBooks, sinceMs: number): boolean {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return false;
  }
  if (!Array.isArray(entry)) return false;
  const [name, key, rows] = entry as unknown[];
  if ((name !== "ips" && name !== "emails") || typeof key !== "string") return false;
  if (!Array.isArray(rows) || !rows.every(isRow)) return false;
  for (const [lastAtMs, events, highRisk] of rows) {
    if (lastAtMs > sinceMs) books[name].addRow(key, { lastAtMs, events, highRisk });
  }
  return true;
}

function isRow(row: unknown): row is [number, number, number] {
  return (
    Array.isArray(row) &&
    row.length === 3 &&
    row.every((number) => typeof number === "number" && number >= 0 && Number.isFinite(number))
  );
}

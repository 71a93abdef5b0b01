import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** SQLite errors that an operator can resolve. */
const TROUBLES: readonly (readonly [code: string, message: string, hint: string])[] = [
  [
    "SQLITE_FULL",
    "the disk with the data directory is full",
    "Free some space; nothing was changed",
  ],
  ["SQLITE_IOERR", "the data directory cannot be read or written", "Check its disk"],
  [
    "SQLITE_READONLY",
    "the database cannot be written",
    "Check the permissions of the data directory",
  ],
  [
    "SQLITE_CANTOPEN",
    "the database cannot be opened",
    "Check the permissions of the data directory",
  ],
  ["SQLITE_CORRUPT", "the database is damaged", "Stop the service and restore a backup"],
  ["SQLITE_NOTADB", "the database is damaged", "Stop the service and restore a backup"],
];

export function storeError(cause: unknown): RiskGateError {
  if (isRiskGateError(cause)) return cause;
  const code = codeOf(cause);
  const known = TROUBLES.find(([prefix]) => code.startsWith(prefix));
  if (!known) return new RiskGateError("STORE_FAILED", "the database rejected a query", { cause });
  const [, message, hint] = known;
  return new RiskGateError("STORE_FAILED", message, { cause, hint });
}

/** Returns true if SQLite found that a file is not a complete database. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

/** Returns the code of an error from a driver or from Node; empty for any other value. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "";
}

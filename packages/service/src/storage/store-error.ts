import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** Errors of SQLite that an operator can do something about. */
const TROUBLES: readonly (readonly [code: string, message: string, hint: string])[] = [
  ["SQLITE_FULL", "the disk of the data directory is full", "Free some space; nothing was changed"],
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

/** Returns the error for an error of the database. */
export function storeError(cause: unknown): RiskGateError {
  if (isRiskGateError(cause)) return cause;
  const code = codeOf(cause);
  const known = TROUBLES.find(([prefix]) => code.startsWith(prefix));
  if (!known) return new RiskGateError("STORE_FAILED", "the database refused a query", { cause });
  const [, message, hint] = known;
  return new RiskGateError("STORE_FAILED", message, { cause, hint });
}

/** Whether SQLite found a file that is not a complete database. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

/** Code of an error of a driver or of Node, empty for any other. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "";
}

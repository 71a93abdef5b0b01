import { isRiskGateError, RiskGateError } from "@riskgate/core";

/** SQLite errors that an operator can resolve. */
const TROUBLES: readonly (readonly [code: string, message: string, hint: string])[] = [
  ["SQLITE_FULL", "the disk of the inbox is full", "Free some disk space; nothing was changed"],
  ["SQLITE_IOERR", "the inbox cannot be read or written", "Check its disk"],
  ["SQLITE_READONLY", "the inbox cannot be written", "Check the permissions of its directory"],
  ["SQLITE_CANTOPEN", "the inbox cannot be opened", "Check the permissions of its directory"],
  [
    "SQLITE_CORRUPT",
    "the inbox is damaged",
    "Stop the application and move its directory away; the sender redelivers what it still has",
  ],
  [
    "SQLITE_NOTADB",
    "the inbox is damaged",
    "Stop the application and move its directory away; the sender redelivers what it still has",
  ],
];

export function storeError(cause: unknown): RiskGateError {
  if (isRiskGateError(cause)) return cause;
  const code = sqliteCodeOf(cause);
  const known = TROUBLES.find(([prefix]) => code.startsWith(prefix));
  const [, message, hint] = known ?? [
    "",
    "the inbox cannot be read or written",
    "Check its directory and its disk",
  ];
  return new RiskGateError("STORE_FAILED", message, { cause, hint });
}

/** Returns the code of a SQLite or file system error; empty for any other. */
export function sqliteCodeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "";
}

import { RiskGateError } from "@riskgate/core";
import { sql } from "kysely";
import type { Database } from "./database.js";

/**
 * Look through the whole database for damage, before anything relies on it.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export async function checkDatabase(database: Database): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(database);
  const found = rows[0]?.quick_check;
  if (found === "ok") return;
  throw new RiskGateError("CONFIG_INVALID", `the database is damaged: ${String(found)}`, {
    hint: "Restore a backup, or move the file away to start with an empty database",
  });
}

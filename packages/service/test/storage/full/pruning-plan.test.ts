import { type CompiledQuery, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../src/storage/database.js";
import { migrate } from "../../../src/storage/migrations.js";
import { openPostgres } from "../../../src/storage/postgres.js";
import { pruneTables } from "../../../src/storage/retention.js";
import { openSqlite } from "../../../src/storage/sqlite.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { statementsOf } from "../../support/statements-of.js";

/** Tables that grow with what is reported. */
const GROWING = /^(?:log|event_ids|ledger|decisions|incidents|responses|deliveries|windows)/;

/** The statements of a pruning. */
async function pruning(database: Database): Promise<readonly CompiledQuery[]> {
  onTestFinished(() => database.destroy());
  await migrate(database);
  const before = 1_700_000_000_000_000;
  const texts = { application_id: "a", kind: "xss", category: "injection", payload_json: "{}" };
  const row = { ...texts, occurred_at: 0, received_at: 0, high_risk: 0 as const };
  await database
    .insertInto("log")
    .values({ ...row, type: "security_event" })
    .execute();
  const limits = { ledgerBefore: before, eventsBefore: before, incidentsBefore: before };
  const statements = statementsOf(database);
  await pruneTables(
    database,
    { ...limits, deliveriesBefore: before, decisionsBefore: before },
    before,
  );
  return statements.filter(({ sql: text }) => /^\s*(?:delete|select[^]*received_at)/.test(text));
}

const explained = ({ sql: text, ...query }: CompiledQuery, by: string): CompiledQuery => ({
  ...query,
  sql: `${by} ${text}`,
});

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [condition: `${string} Cond`]: string | undefined;
}

/** Indexes of the few rows that still wait for something. */
const PARTIAL = new Set<string | undefined>(["deliveries_by_due"]);

/** Tables that a plan reads as a whole, or through an index of all rows without a condition. */
function readWhole(node: PlanNode): string[] {
  const table = node["Relation Name"];
  const isNarrow =
    PARTIAL.has(node["Index Name"]) ||
    ["Index Cond", "TID Cond", "Recheck Cond"].some((name) => name in node);
  const own = table !== undefined && !isNarrow && GROWING.test(table) ? [table] : [];
  const isModifying = node["Node Type"] === "ModifyTable";
  return [...(isModifying ? [] : own), ...(node.Plans ?? []).flatMap(readWhole)];
}

describe("pruning", () => {
  it("reads no table as a whole on SQLite", async () => {
    const database = openSqlite({ path: ":memory:", maxBytes: undefined });
    const statements = await pruning(database);
    expect(statements.length).toBeGreaterThan(7);
    for (const statement of statements) {
      const { rows } = await database.executeQuery<{ detail: string }>(
        explained(statement, "explain query plan"),
      );
      const scans = rows.map(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? "");
      expect(
        scans.filter((table) => GROWING.test(table)),
        statement.sql,
      ).toEqual([]);
    }
  });

  it.skipIf(!hasPostgres)("reads no table as a whole on PostgreSQL", async () => {
    const database = await openPostgres(await temporaryDatabase());
    const statements = await pruning(database);
    expect(statements.length).toBeGreaterThan(7);
    // Otherwise small tables are read as a whole although there is an index.
    await sql`set enable_seqscan = off`.execute(database);
    for (const statement of statements) {
      const { rows } = await database.executeQuery<{
        "QUERY PLAN": readonly { readonly Plan: PlanNode }[];
      }>(explained(statement, "explain (format json)"));
      expect(
        rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => readWhole(Plan))),
        statement.sql,
      ).toEqual([]);
    }
  });
});

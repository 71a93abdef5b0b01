import type { Database } from "./database.js";
import { atomically } from "./atomically.js";
import { advance } from "./revisions.js";

/** The rules of the operator, one set for the whole service. */
export interface OperatorRuleStore {
  /** What was stored last, as it was given; empty where nothing was. */
  read(): Promise<readonly unknown[]>;
  replace(rules: readonly unknown[]): Promise<void>;
}

/** Creates the rules in a database; their form is not the storage's business. */
export function createOperatorRuleStore(database: Database): OperatorRuleStore {
  return {
    async read() {
      const row = await database.selectFrom("operator_rules").selectAll().executeTakeFirst();
      return row ? (JSON.parse(row.rules_json) as unknown[]) : [];
    },
    replace: (rules) =>
      atomically(database, async (within) => {
        await within.deleteFrom("operator_rules").execute();
        await within
          .insertInto("operator_rules")
          .values({ rules_json: JSON.stringify(rules) })
          .execute();
        // Other processes on the database load them again.
        await advance(within, "settings");
      }),
  };
}

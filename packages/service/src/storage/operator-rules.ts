import type { OperatorRuleStore } from "./storage.js";
import type { Database } from "./database.js";
import { atomically } from "./atomically.js";
import { advance } from "./revisions.js";

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
        // Makes other processes on the database reload them.
        await advance(within, "settings");
      }),
  };
}

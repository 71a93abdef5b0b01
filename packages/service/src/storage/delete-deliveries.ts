import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { inNumbers } from "./lists.js";

export function deleteDeliveries(database: Database, seqs: readonly number[]): Promise<void> {
  return atomically(database, async (within) => {
    await within
      .deleteFrom("attempts")
      .where("delivery_seq", "in", inNumbers(within, seqs))
      .execute();
    await within.deleteFrom("deliveries").where("seq", "in", inNumbers(within, seqs)).execute();
  });
}

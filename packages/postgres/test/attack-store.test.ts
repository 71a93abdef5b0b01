import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { attackStoreContract } from "../../../tools/test/attack-store-contract.js";
import { hasPostgres, temporaryDatabase } from "../../../tools/test/postgres.js";
import { createPostgresAttackStore } from "../src/attack-store.js";

describe.skipIf(!hasPostgres)("createPostgresAttackStore (without PostgreSQL: skipped)", () => {
  it.each(attackStoreContract)("$id $title", async (check) => {
    const running = check.run({
      async open() {
        const pool = new pg.Pool({ connectionString: await temporaryDatabase(), max: 5 });
        pool.on("error", () => {});
        onTestFinished(async () => pool.end());
        const options = { timeoutMs: 20_000 };
        return {
          store: createPostgresAttackStore(pool, options),
          other: createPostgresAttackStore(pool, options),
          close: async () => {},
        };
      },
    });
    await expect(running).resolves.toBeUndefined();
  });
});

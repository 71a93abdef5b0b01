import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { appliesLatestResponse } from "../../../tools/test/block-order.js";
import { hasPostgres, temporaryDatabase } from "../../../tools/test/postgres.js";
import { createPostgresBlockStore } from "../src/block-store.js";

describe.skipIf(!hasPostgres)("createPostgresBlockStore (without PostgreSQL: skipped)", () => {
  it("keeps the latest response, in whichever order they arrive", async () => {
    const pool = new pg.Pool({ connectionString: await temporaryDatabase(), max: 5 });
    pool.on("error", () => {});
    onTestFinished(async () => pool.end());
    await expect(
      appliesLatestResponse(() =>
        createPostgresBlockStore(pool, { everyMs: 20, timeoutMs: 20_000 }),
      ),
    ).resolves.toBeUndefined();
  });
});

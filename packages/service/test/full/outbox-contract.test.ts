import { outboxContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { outboxHarness } from "../support/outbox-harness.js";
import { hasPostgres, temporaryDatabase } from "../support/postgres.js";
import { temporaryDirectory } from "../support/temporary-storage.js";

describe("the outbox of a service on SQLite", () => {
  it.each(outboxContract)("$id $title", { timeout: 180_000 }, async (check) => {
    const harness = outboxHarness("SQLite", async () => ({ dataDir: await temporaryDirectory() }));
    await expect(check.run(harness)).resolves.toBeUndefined();
  });
});

describe.skipIf(!hasPostgres)(
  "the outbox of a service on PostgreSQL (without a server: skipped)",
  () => {
    it.each(outboxContract)("$id $title", { timeout: 180_000 }, async (check) => {
      const open = async () => ({ database: await temporaryDatabase() });
      const harness = outboxHarness("PostgreSQL", open);
      await expect(check.run(harness)).resolves.toBeUndefined();
    });
  },
);

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inboxContract } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { createSqliteInbox } from "../src/inbox.js";

describe("createSqliteInbox", () => {
  it.concurrent.each(inboxContract)("$id $title", async (check) => {
    const running = check.run({
      name: "SQLite",
      async open({ maxAttempts }) {
        const directory = mkdtempSync(join(tmpdir(), "riskgate-inbox-"));
        const inbox = createSqliteInbox({ directory, maxAttempts, backoffMs: 10, onError() {} });
        return {
          inbox,
          async open() {
            const { waiting, active, delayed } = await inbox.counts();
            return waiting + active + delayed;
          },
          parked: async () => (await inbox.counts()).parked,
          async close() {
            await inbox.close();
            rmSync(directory, { recursive: true });
          },
        };
      },
    });
    await expect(running).resolves.toBeUndefined();
  });
});

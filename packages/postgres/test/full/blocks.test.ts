import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { shareBlocks } from "../../../../tools/test/block-processes.js";
import { hasPostgres, temporaryDatabase } from "../../../../tools/test/postgres.js";
import { breakableLink } from "../../../../tools/test/breakable-link.js";

describe.skipIf(!hasPostgres)("blocks in PostgreSQL (without PostgreSQL: skipped)", () => {
  it("reach three processes, survive kill -9 and an outage, and can be removed", async () => {
    const link = await breakableLink(await temporaryDatabase());
    const took = await shareBlocks({
      program: fileURLToPath(new URL("../support/block-app.mjs", import.meta.url)),
      settings: { url: link.url },
      change: async ([first], action, subject) => first?.change(action, subject),
      leave: async () => link.cut(),
      return: async () => link.mend(),
    });
    expect(Object.keys(took)).toHaveLength(5);
  });
});

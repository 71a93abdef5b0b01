import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { stuffCredentials } from "../../../../tools/test/login-processes.js";
import { hasPostgres, temporaryDatabase } from "../../../../tools/test/postgres.js";

describe.skipIf(!hasPostgres)("attack mode in PostgreSQL (without PostgreSQL: skipped)", () => {
  it("starts in three processes at once, and asks no known device", async () => {
    const program = fileURLToPath(new URL("../support/attack-app.mjs", import.meta.url));
    const { reached, taken } = await stuffCredentials(program, { url: await temporaryDatabase() });
    expect(reached).toBeLessThanOrEqual(75);
    expect(taken).toBeLessThanOrEqual(1);
  });
});

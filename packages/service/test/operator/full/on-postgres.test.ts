import { describe } from "vitest";
import { hasPostgres } from "../../support/postgres.js";
import { engine } from "../../support/temporary-storage.js";

const title = hasPostgres ? "on PostgreSQL:" : "on PostgreSQL (no server: skipped):";
engine.name = "postgres";
describe.skipIf(!hasPostgres)(title, async () => {
  await import("../operator.test.js");
});

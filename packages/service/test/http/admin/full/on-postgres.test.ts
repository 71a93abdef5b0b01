import { describe } from "vitest";
import { hasPostgres } from "../../../support/postgres.js";
import { engine } from "../../../support/temporary-storage.js";

// The same tests as on SQLite.
const title = hasPostgres ? "on PostgreSQL:" : "on PostgreSQL (no server: skipped):";
engine.name = "postgres";
describe.skipIf(!hasPostgres)(title, async () => {
  await import("../activity-routes.test.js");
  await import("../record-routes.test.js");
});

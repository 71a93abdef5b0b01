import { describe } from "vitest";
import { hasPostgres } from "../../support/postgres.js";
import { engine } from "../../support/temporary-storage.js";

// The same tests as on SQLite; those about files and pragmas have no counterpart here.
const title = hasPostgres ? "on PostgreSQL:" : "on PostgreSQL (no server: skipped):";
engine.name = "postgres";
describe.skipIf(!hasPostgres)(title, async () => {
  await import("../append.test.js");
  await import("../applications.test.js");
  await import("../deliveries.test.js");
  await import("../due-tasks.test.js");
  await import("../erasure.test.js");
  await import("../records.test.js");
});

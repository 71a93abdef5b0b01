import { describe } from "vitest";
import { hasPostgres } from "../../support/postgres.js";
import { engine } from "../../support/temporary-storage.js";

// The same tests as on SQLite.
const title = hasPostgres ? "on PostgreSQL:" : "on PostgreSQL (no server: skipped):";
engine.name = "postgres";
describe.skipIf(!hasPostgres)(title, async () => {
  await import("../dispatcher.test.js");
  await import("../connections.test.js");
  await import("../endpoint.test.js");
  await import("../clock-change.test.js");
  await import("../endpoint-limit.test.js");
});

import { describe } from "vitest";
import { hasPostgres } from "../../support/postgres.js";
import { engine } from "../../support/temporary-storage.js";

// The same tests as on SQLite.
const title = hasPostgres ? "on PostgreSQL:" : "on PostgreSQL (no server: skipped):";
engine.name = "postgres";
describe.skipIf(!hasPostgres)(title, async () => {
  await import("../intake.test.js");
  await import("../score-queue.test.js");
  await import("../outcomes.test.js");
  await import("../clock-change.test.js");
  await import("../../incidents/incidents.test.js");
  await import("../../playbooks/playbooks.test.js");
});

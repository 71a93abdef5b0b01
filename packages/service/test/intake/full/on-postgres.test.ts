import { describe } from "vitest";
import { hasPostgres } from "../../support/postgres.js";
import { engine } from "../../support/temporary-storage.js";

// The same tests as on SQLite.
const title = hasPostgres ? "on PostgreSQL:" : "on PostgreSQL (no server: skipped):";
engine.name = "postgres";
describe.skipIf(!hasPostgres)(title, async () => {
  await import("../intake.test.js");
  await import("../sweep.test.js");
  await import("../../detection/logins/outcomes.test.js");
  await import("../clock-change.test.js");
  await import("../../detection/incidents/incidents.test.js");
  await import("../../detection/playbooks/playbooks.test.js");
});

import type { Application, Applications } from "../applications.js";
import { atomically } from "../atomically.js";
import type { Database } from "../database.js";
import type { Clock } from "../instant.js";
import type { Leases } from "../leases.js";
import { randomId } from "../random-id.js";
import { APPLICATION_DEFAULTS, applicationOf, changesOf, columnsOf } from "./application-row.js";
import { cancelDeliveries } from "./deliveries-table.js";
import { createKeysTable } from "./keys-table.js";
import { createSecretsTable } from "./secrets-table.js";

/** What belongs to an application and goes with it. */
const OWNED = [
  "api_keys",
  "signing_secrets",
  "events",
  "ledger",
  "incidents",
  "playbooks",
  "responses",
] as const;

/** Applications in the database. */
export function createApplicationsTable(
  database: Database,
  clock: Clock,
  leases: Leases,
): Applications {
  const find = async (id: string): Promise<Application | undefined> => {
    const row = await database
      .selectFrom("applications")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row && applicationOf(row);
  };
  /** Nothing of it is going to be sent. */
  const stopDeliveries = async (within: Database, id: string): Promise<void> => {
    await within.deleteFrom("outbox").where("application_id", "=", id).execute();
    await cancelDeliveries(within, id);
    leases.outdate();
  };

  return {
    ...createKeysTable(database, clock),
    ...createSecretsTable(database, clock, leases),

    async create(settings) {
      const row = await database
        .insertInto("applications")
        .values({
          ...columnsOf({ ...APPLICATION_DEFAULTS, ...settings }),
          id: randomId(24),
          created_at: clock(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return applicationOf(row);
    },
    async list() {
      const rows = await database.selectFrom("applications").selectAll().orderBy("seq").execute();
      return rows.map(applicationOf);
    },
    get: find,
    async update(id, changes) {
      if (Object.values(changes).every((value) => value === undefined)) return find(id);
      const row = await database
        .updateTable("applications")
        .set(changesOf(changes))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      leases.outdate();
      return row && applicationOf(row);
    },
    disable: (id, reason) =>
      atomically(database, async (within) => {
        const row = await within
          .updateTable("applications")
          .set({ disabled_at: clock(), disabled_reason: reason })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        await stopDeliveries(within, id);
        return row && applicationOf(row);
      }),
    async enable(id) {
      const row = await database
        .updateTable("applications")
        .set({ disabled_at: null, disabled_reason: null, failing_since: null })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      leases.outdate();
      return row && applicationOf(row);
    },
    delete: (id) =>
      atomically(database, async (within) => {
        for (const table of OWNED) {
          await within.deleteFrom(table).where("application_id", "=", id).execute();
        }
        const { numDeletedRows } = await within
          .deleteFrom("applications")
          .where("id", "=", id)
          .executeTakeFirst();
        await stopDeliveries(within, id);
        return numDeletedRows > 0n;
      }),
  };
}

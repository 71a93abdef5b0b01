import { atomically } from "../atomically.js";
import type { Database } from "../database.js";
import type { Clock } from "../instant.js";
import type { Leases } from "../leases.js";
import type { Storage } from "../storage.js";
import { createApplicationsTable } from "./applications-table.js";
import { createDeliveriesTable } from "./deliveries-table.js";
import { eraseSubject } from "./erasure.js";
import { createEventsTable } from "./events-table.js";
import { createIncidentsTable } from "./incidents-table.js";
import { createLedgerTable } from "./ledger-table.js";
import { createOutboxTable } from "./outbox-table.js";
import { createPlaybooksTable } from "./playbooks-table.js";
import { pruneTables } from "./retention.js";

/** The storage in a database, or in a transaction of one. */
export function createTables(
  database: Database,
  clock: Clock,
  leases: Leases,
): Omit<Storage, "close"> {
  return {
    applications: createApplicationsTable(database, clock, leases),
    outbox: createOutboxTable(database, clock),
    deliveries: createDeliveriesTable(database, clock, leases),
    ledger: createLedgerTable(database),
    events: createEventsTable(database, clock),
    incidents: createIncidentsTable(database),
    playbooks: createPlaybooksTable(database, clock),
    async transaction(work) {
      try {
        return await atomically(database, (within) =>
          // Only the storage itself can be closed.
          work({ ...createTables(within, clock, leases), close: () => Promise.resolve() }),
        );
      } catch (error) {
        // What was made in it is not there.
        leases.outdate();
        throw error;
      }
    },
    erase: (subject) => eraseSubject(database, subject),
    prune: (limits) => pruneTables(database, limits),
    revision: () => leases.revision,
  };
}

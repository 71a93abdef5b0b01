import type { Storage } from "./storage.js";
import { createApplications } from "./applications.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { createDecisions } from "./decisions.js";
import { createDeliveries } from "./deliveries-table.js";
import { eraseSubject, erasePending } from "./erasure.js";
import { createEvents } from "./events.js";
import { createIncidents } from "./incidents.js";
import type { Clock } from "../model/instant.js";
import { createPendingScorings } from "./pending-scorings.js";
import type { Leases } from "./leases.js";
import { createLedgerStore } from "./ledger-store.js";
import { createOperatorRuleStore } from "./operator-rules.js";
import { createOutbox } from "./outbox.js";
import type { GuardedServer } from "@riskgate/core/internal";
import { createCircuitBreaker } from "./circuit-breaker.js";
import { createPlaybooks } from "./playbooks.js";
import { createRequestCounter } from "./rate-limiter.js";
import { followClock } from "./clock-change.js";
import { pruneTables } from "./retention.js";
import { advance, readRevisions } from "./revisions.js";
import { withTaskLock } from "./task-lock.js";
import { withWriterLock } from "./writer-lock.js";
import type { LockScope } from "./storage.js";
import { readUsage } from "./usage.js";
import { createWindows } from "./windows.js";

/**
 * Creates the storage in a database or in a transaction. The writer lock is taken on the database
 * `ofTurns`; if that has a separate connection, waiting for the lock delays nothing else.
 */
export function createStorage(
  database: Database,
  clock: Clock,
  leases: Leases,
  {
    ofTurns = database,
    usual = "anything",
    breaker = createCircuitBreaker(),
  }: { ofTurns?: Database; usual?: LockScope; breaker?: GuardedServer } = {},
): Omit<Storage, "close"> {
  // Only the outer storage can be closed.
  const inside = (within: Database, scope?: LockScope): Storage => ({
    ...createStorage(within, clock, leases, scope && { usual: scope }),
    close: () => Promise.resolve(),
  });
  return {
    applications: createApplications(database, clock, leases),
    outbox: createOutbox(database, clock),
    deliveries: createDeliveries(database, clock, leases),
    ledger: createLedgerStore(database),
    events: createEvents(database, clock),
    incidents: createIncidents(database),
    decisions: createDecisions(database, clock),
    pendingScorings: createPendingScorings(database),
    playbooks: createPlaybooks(database, clock),
    windows: createWindows(database),
    operatorRules: createOperatorRuleStore(database),
    async transaction(work, scope = usual) {
      try {
        return await atomically(database, (within) => work(inside(within)), scope);
      } catch (error) {
        // The rows that the transaction created do not exist.
        leases.outdate();
        throw error;
      }
    },
    withWriterLock: (work) => withWriterLock(ofTurns, (within) => work(inside(within, "reports"))),
    withTaskLock: (task, work, signal) => withTaskLock(database, task, work, signal),
    countRequest: createRequestCounter(database, breaker),
    publishFeeds: async () => void (await advance(database, "feeds")),
    revisions: () => readRevisions(database),
    lockApplications: (applicationIds) => leases.applicationLocks.acquire(database, applicationIds),
    holdsApplication: (applicationId) => leases.applicationLocks.has(applicationId),
    erase: (subject) => eraseSubject(database, subject),
    erasePending: () => erasePending(database),
    prune: (limits) => pruneTables(database, limits, clock()),
    usage: () => readUsage(database),
    async check() {
      await database.selectFrom("applications").select("seq").limit(1).execute();
    },
    followClock: (setBy) => followClock(database, setBy, clock()),
    revision: () => leases.revision,
    outdate: () => leases.outdate(),
  };
}

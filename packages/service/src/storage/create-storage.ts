import type { Storage } from "./storage.js";
import { createActivity } from "./activity.js";
import { createApplications } from "./applications.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";
import { createDecisions } from "./decisions.js";
import { createDeliveries } from "./deliveries-table.js";
import { eraseSubject, erasePending } from "./erasure.js";
import { createEvents } from "./events.js";
import { createIncidents } from "./incidents.js";
import type { DatabaseClock } from "./database-clock.js";
import type { Leases } from "./leases.js";
import { createLabels } from "./labels.js";
import { createLedgerStore } from "./ledger-store.js";
import { createLog } from "./log.js";
import type { Log } from "./log-store.js";
import { createOperatorRuleStore } from "./operator-rules.js";
import { createOutbox } from "./outbox.js";
import type { GuardedServer } from "@riskgate/core/internal";
import { createCircuitBreaker } from "./circuit-breaker.js";
import { createPartitions } from "./partitions.js";
import { createPlaybooks } from "./playbooks.js";
import { createRequestCounter } from "./rate-limiter.js";
import { followClock, lastInstant } from "./clock-change.js";
import { pruneTables } from "./retention.js";
import { advance, readRevisions } from "./revisions.js";
import { runWhenDue, withTaskLock } from "./task-lock.js";
import { createWindows } from "./windows.js";

/** The connections of a storage; on SQLite all are the same. */
export interface Connections {
  readonly database: Database;
  /** For appending reports, so that nothing else delays them. */
  readonly appending?: Database;
  /** For what lookups read: keys and histories. */
  readonly reading?: Database;
  /** For transactions, so that they delay no single statement. */
  readonly transacting?: Database;
}

/** Creates the storage in a database or in a transaction. */
export function createStorage(
  { database, appending = database, reading = database, transacting = database }: Connections,
  shared: DatabaseClock,
  leases: Leases,
  breaker: GuardedServer = createCircuitBreaker(),
): Omit<Storage, "close"> {
  const { now: clock } = shared;
  // Only the outer storage can be closed.
  const inside = (within: Database): Storage => ({
    ...createStorage({ database: within }, shared, leases, breaker),
    close: () => Promise.resolve(),
  });
  const reports = createLog(appending, clock);
  const log: Log = {
    ...createLog(database, clock),
    append: (orders) => reports.append(orders),
    awaitAppends: (applicationId) => reports.awaitAppends(applicationId),
  };
  const outbox = createOutbox(database, log);
  const ledger = createLedgerStore(database, reading);
  const keys = createApplications(reading, clock, leases);
  return {
    clock,
    applications: {
      ...createApplications(database, clock, leases),
      findByKeyHashes: (hashes, scope) => keys.findByKeyHashes(hashes, scope),
    },
    outbox,
    deliveries: createDeliveries(database, clock, leases, outbox),
    ledger,
    log,
    partitions: createPartitions(database, shared),
    events: createEvents(database),
    incidents: createIncidents(database),
    decisions: createDecisions(database, clock),
    labels: createLabels(database, clock),
    playbooks: createPlaybooks(database, clock),
    windows: createWindows(database),
    activity: createActivity(database),
    operatorRules: createOperatorRuleStore(database),
    async transaction(work) {
      try {
        return await atomically(transacting, (within) => work(inside(within)));
      } catch (error) {
        // The rows that the transaction created do not exist.
        leases.outdate();
        throw error;
      }
    },
    withTaskLock: (task, work, signal) => withTaskLock(database, task, work, signal),
    runWhenDue: (task, everyMs, work, signal) =>
      runWhenDue(database, clock, { task, everyMs }, work, signal),
    countRequest: createRequestCounter(database, breaker, shared.aheadMs),
    publishFeeds: async () => void (await advance(database, "feeds")),
    revisions: () => readRevisions(database),
    outdateDetection: async () => void (await advance(database, "detection")),
    erase: (subject) => eraseSubject(database, subject),
    erasePending: () => erasePending(database),
    prune: (limits, signal) => pruneTables(database, limits, clock(), signal),
    usage: () => dialectOf(database).usage(database),
    async check() {
      // The statements that reports and lookups make, with nothing in them.
      await Promise.all([log.append([]), ledger.historiesOf([]), keys.findByKeyHashes([])]);
    },
    followClock: (setBy) => followClock(database, setBy, clock()),
    lastInstant: () => lastInstant(database),
    revision: () => leases.revision,
    outdate: () => leases.outdate(),
  };
}

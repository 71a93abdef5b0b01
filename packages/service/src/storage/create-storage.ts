import type { Storage } from "./storage.js";
import { createApplications } from "./applications.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { createDecisions } from "./decisions.js";
import { createDeliveries } from "./deliveries-table.js";
import { eraseSubject, settleErasures } from "./erasure.js";
import { createEvents } from "./events.js";
import { createIncidents } from "./incidents.js";
import type { Clock } from "../model/instant.js";
import { createJudgements } from "./pending-scorings.js";
import type { Leases } from "./leases.js";
import { createLedgerStore } from "./ledger-store.js";
import { createOperatorRuleStore } from "./operator-rules.js";
import { createOutbox } from "./outbox.js";
import { createPatience, type Patience } from "./circuit-breaker.js";
import { createPlaybooks } from "./playbooks.js";
import { createRateLimiter } from "./rate-limiter.js";
import { followClock } from "./clock-change.js";
import { pruneTables } from "./retention.js";
import { advance, readRevisions } from "./revisions.js";
import { alone } from "./task-lock.js";
import { inTurn } from "./writer-lock.js";
import type { Concern } from "./storage.js";
import { readUsage } from "./usage.js";
import { createWindows } from "./windows.js";

/**
 * Creates the storage in a database, or in a transaction of one.
 *
 * @param database Where turns are taken, if not there: to wait for one holds up nothing else then.
 */
export function createStorage(
  database: Database,
  clock: Clock,
  leases: Leases,
  {
    ofTurns = database,
    usual = "anything",
    patience = createPatience(),
  }: { ofTurns?: Database; usual?: Concern; patience?: Patience } = {},
): Omit<Storage, "close"> {
  // Only the storage itself can be closed.
  const inside = (within: Database, concern?: Concern): Storage => ({
    ...createStorage(within, clock, leases, concern && { usual: concern }),
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
    judgements: createJudgements(database),
    playbooks: createPlaybooks(database, clock),
    windows: createWindows(database),
    operatorRules: createOperatorRuleStore(database),
    async transaction(work, concern = usual) {
      try {
        return await atomically(database, (within) => work(inside(within)), concern);
      } catch (error) {
        // What the transaction made does not exist.
        leases.outdate();
        throw error;
      }
    },
    turn: (work) => inTurn(ofTurns, (within) => work(inside(within, "reports"))),
    alone: (task, work, signal) => alone(database, task, work, signal),
    rateLimiter: (allowance) => createRateLimiter(database, patience, allowance),
    announceFeeds: async () => void (await advance(database, "feeds")),
    revisions: () => readRevisions(database),
    hold: (applicationIds) => leases.holdings.hold(database, applicationIds),
    holds: (applicationId) => leases.holdings.has(applicationId),
    erase: (subject) => eraseSubject(database, subject),
    settleErasures: () => settleErasures(database),
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

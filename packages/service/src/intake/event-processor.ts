import { crossesScore } from "../detection/incidents/genre-rule.js";
import type { IncidentTracker, IncidentChange } from "../detection/incidents/track-incidents.js";
import type { LoadedPlaybook } from "../model/playbook.js";
import type { PlaybookTriggers, PlaybookRunner } from "../detection/playbooks/run-playbooks.js";
import type { Application } from "../model/application.js";
import type { Instant } from "../model/instant.js";
import type { LedgerEntry } from "../model/subject.js";
import type { Storage } from "../storage/storage.js";
import type { IntakeEvent } from "../model/event.js";
import { isWanted, queuePayloads } from "../detection/events/wanted-payload.js";
import type { OutgoingPayload } from "../model/delivery.js";
import {
  type EventLedger,
  ledgerEntriesOf,
  recordEntry,
  type RiskPeek,
  scoreOf,
} from "./risk-record.js";
import type { IncidentThresholds } from "../detection/incidents/incident-settings.js";
import { wireEvent } from "../detection/events/wire-event.js";

/** What one piece of work may use. */
export interface IntakeWork {
  readonly storage: Storage;
  readonly application: Application;
  readonly now: Instant;
}

/** What was stored, and what has to follow once that is safe. */
export interface Stored {
  readonly events: readonly IntakeEvent[];
  readonly entries: readonly LedgerEntry[];
  readonly playbooks: readonly LoadedPlaybook[];
  /** `seq` of the last of the entries, where there are any. */
  readonly ledgerSeq?: number | undefined;
  /** `seq` of the judgement of their accounts that is owed, if one is. */
  readonly judgement?: number | undefined;
}

/** An event of an account, with the score of the account before it counted and since. */
export interface ScoredEvent {
  readonly event: IntakeEvent;
  readonly before: number;
  readonly score: number;
}

/** Does what follows from events: ledger, incidents, playbooks, payloads. */
export interface EventProcessor {
  /** Store new events with everything that follows from them, in the transaction of the work. */
  store(
    work: IntakeWork,
    events: readonly IntakeEvent[],
    incidents?: readonly IncidentChange[],
  ): Promise<Stored>;
  /** What was stored before the process ended, to let it count now. */
  restore(storage: Storage, applicationId: string, events: readonly IntakeEvent[]): Promise<Stored>;
  /** Let stored events count in lookups; the accounts whose scores a rule asks for. */
  count(stored: Stored): readonly ScoredEvent[];
  /** Do what follows from the scores of accounts, in a transaction of its own. */
  followScores(work: IntakeWork, scored: readonly ScoredEvent[]): Promise<void>;
}

/** What the processor needs. */
export interface EventProcessorParts {
  readonly tracker: IncidentTracker;
  readonly runner: PlaybookRunner;
  readonly ledger: EventLedger;
  readonly peek: RiskPeek;
  readonly thresholds: IncidentThresholds;
}

/** No score is above it. */
const MAX_SCORE = 100;

export function createEventProcessor(parts: EventProcessorParts): EventProcessor {
  const { tracker, runner, ledger, peek, thresholds } = parts;

  /** Run the playbooks, and queue their responses behind the payloads that caused them. */
  const runPlaybooks = async (
    work: IntakeWork,
    playbooks: readonly LoadedPlaybook[],
    triggers: PlaybookTriggers,
    payloads: readonly OutgoingPayload[],
  ): Promise<void> => {
    const { storage, application } = work;
    const type = "security_response";
    // A response that is not received must not hold back the next one.
    const responses = isWanted(application, { type })
      ? await runner.run(work, playbooks, triggers)
      : [];
    await queuePayloads(storage, application, [
      ...payloads,
      ...responses.map((payload) => ({ type, payload }) as const),
    ]);
  };

  /** The score above which something may follow. */
  const leastScore = (playbooks: readonly LoadedPlaybook[]): number =>
    playbooks.reduce(
      (lowest, { rule }) =>
        "accountScoreAbove" in rule ? Math.min(lowest, rule.accountScoreAbove) : lowest,
      thresholds.accountScoreAbove,
    );

  return {
    async store(work, events, incidents = []) {
      const { storage, application } = work;
      const entries = events.flatMap((event) => ledgerEntriesOf(application.id, event));
      const ledgerSeq = entries.length > 0 ? await storage.ledger.record(entries) : undefined;
      const changes = [...incidents, ...(await tracker.addEvents(work, events))];
      const playbooks = await runner.load(storage, application.id);
      const payloads: OutgoingPayload[] = [
        ...events.map(({ kind, payload }) => {
          return { type: "security_event", kind, payload: wireEvent(payload) } as const;
        }),
        ...changes.flatMap(({ payload }) => payload ?? []),
      ];
      await runPlaybooks(work, playbooks, { events, incidents: changes, scores: [] }, payloads);
      const ids = events.map(({ id }) => id);
      const needsScoring = lastByAccount(events).size > 0 && leastScore(playbooks) < MAX_SCORE;
      const judgement = needsScoring
        ? await storage.pendingScorings.add(application.id, ids)
        : undefined;
      return { events, entries, playbooks, ledgerSeq, judgement };
    },

    async restore(storage, applicationId, events) {
      const entries = events.flatMap((event) => ledgerEntriesOf(applicationId, event));
      return { events, entries, playbooks: await runner.load(storage, applicationId) };
    },

    count({ events, entries, playbooks }) {
      const latest = lastByAccount(events);
      const before = new Map(
        [...latest.keys()].map((account) => [account, scoreOf(peek, account)]),
      );
      for (const entry of entries) recordEntry(ledger, entry);
      const least = leastScore(playbooks);
      return [...latest]
        .map(([account, event]) => ({
          event,
          before: before.get(account)!,
          score: scoreOf(peek, account),
        }))
        .filter(({ score }) => score > least);
    },

    async followScores(work, scored) {
      const incidents: IncidentChange[] = [];
      for (const { event, before, score } of scored) {
        if (score <= thresholds.accountScoreAbove) continue;
        const change = await tracker.addRiskyEvent(
          work,
          event,
          crossesScore(before, score, thresholds),
        );
        if (change) incidents.push(change);
      }
      const payloads = incidents.flatMap(({ payload }) => payload ?? []);
      const playbooks = await runner.load(work.storage, work.application.id);
      await runPlaybooks(work, playbooks, { events: [], incidents, scores: scored }, payloads);
    },
  };
}

/** The last event of each account with a score. */
function lastByAccount(events: readonly IntakeEvent[]): ReadonlyMap<string, IntakeEvent> {
  const last = new Map<string, IntakeEvent>();
  // The engine scores emails: any other name would get the score of a malformed one.
  for (const event of events) if (event.account?.includes("@")) last.set(event.account, event);
  return last;
}

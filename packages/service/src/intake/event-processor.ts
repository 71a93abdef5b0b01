import { crossesScore } from "../incidents/genre-rule.js";
import type { IncidentTracker, IncidentChange } from "../incidents/incident-tracker.js";
import type { LoadedPlaybook } from "../playbooks/playbook.js";
import type { PlaybookTriggers, PlaybookRunner } from "../playbooks/playbook-runner.js";
import type { Application } from "../storage/applications.js";
import type { Instant } from "../storage/instant.js";
import type { LedgerEntry } from "../storage/ledger-store.js";
import type { Storage } from "../storage/storage.js";
import type { IntakeEvent } from "../events/event.js";
import { isWanted, queuePayloads } from "../events/wanted-payload.js";
import type { OutgoingPayload } from "../storage/outbox.js";
import {
  type EventLedger,
  ledgerEntriesOf,
  recordEntry,
  type RiskPeek,
  scoreOf,
} from "./risk-record.js";
import type { IncidentThresholds } from "../incidents/incident-settings.js";
import { wireEvent } from "../events/wire-event.js";

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
}

/** An event of an account, with the score of the account before it counted and since. */
interface ScoredEvent {
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
  /** Let stored events count in lookups; the accounts whose scores a rule asks for. */
  count(stored: Stored): readonly ScoredEvent[];
  /** Do what follows from the scores of accounts, in a second transaction. */
  followScores(work: IntakeWork, stored: Stored, scored: readonly ScoredEvent[]): Promise<void>;
}

/** What the processor needs. */
export interface EventProcessorParts {
  readonly tracker: IncidentTracker;
  readonly runner: PlaybookRunner;
  readonly ledger: EventLedger;
  readonly peek: RiskPeek;
  readonly thresholds: IncidentThresholds;
}

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

  return {
    async store(work, events, incidents = []) {
      const { storage, application } = work;
      const entries = events.flatMap((event) => ledgerEntriesOf(application.id, event));
      if (entries.length > 0) await storage.ledger.record(entries);
      const changes = [...incidents, ...(await tracker.addEvents(work, events))];
      const playbooks = await runner.load(storage, application.id);
      const payloads: OutgoingPayload[] = [
        ...events.map(({ kind, payload }) => {
          return { type: "security_event", kind, payload: wireEvent(payload) } as const;
        }),
        ...changes.flatMap(({ payload }) => payload ?? []),
      ];
      await runPlaybooks(work, playbooks, { events, incidents: changes, scores: [] }, payloads);
      return { events, entries, playbooks };
    },

    count({ events, entries, playbooks }) {
      const latest = new Map<string, IntakeEvent>();
      // The engine scores emails: any other name would get the score of a malformed one.
      for (const event of events)
        if (event.account?.includes("@")) latest.set(event.account, event);
      const before = new Map(
        [...latest.keys()].map((account) => [account, scoreOf(peek, account)]),
      );
      for (const entry of entries) recordEntry(ledger, entry);
      const least = playbooks.reduce(
        (lowest, { rule }) =>
          "accountScoreAbove" in rule ? Math.min(lowest, rule.accountScoreAbove) : lowest,
        thresholds.accountScoreAbove,
      );
      return [...latest]
        .map(([account, event]) => ({
          event,
          before: before.get(account)!,
          score: scoreOf(peek, account),
        }))
        .filter(({ score }) => score > least);
    },

    async followScores(work, { playbooks }, scored) {
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
      await runPlaybooks(work, playbooks, { events: [], incidents, scores: scored }, payloads);
    },
  };
}

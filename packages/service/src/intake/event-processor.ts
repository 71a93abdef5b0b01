import {
  type DetectionChanges,
  type DetectionContext,
  detectFromEvents,
  detectFromScores,
  leastScore,
  needsScores,
  riskyEvents,
  type ScoredEvent,
} from "../detection/detect.js";
import type { DetectionSettings } from "../detection/detection-settings.js";
import { wireEvent } from "../detection/events/wire-event.js";
import {
  type CounterSeries,
  findPeaks,
  groupEvents,
  type IncidentChange,
  trackPeaks,
} from "../detection/incidents/track-incidents.js";
import { loadEnabled } from "../detection/playbooks/playbook.js";
import type { WindowDraft } from "../detection/windows.js";
import type { Application } from "../model/application.js";
import type { OutgoingPayload } from "../model/delivery.js";
import type { IntakeEvent } from "../model/event.js";
import type { Instant } from "../model/instant.js";
import type { LoadedPlaybook } from "../model/playbook.js";
import type { LedgerEntry } from "../model/subject.js";
import type { Storage } from "../storage/storage.js";
import { readOpenIncidents } from "./open-incidents.js";
import { queuePayloads } from "./queue-payloads.js";
import { type EventLedger, ledgerEntriesOf, type RiskPeek, scoreAccounts } from "./risk-record.js";

export interface IntakeWork {
  readonly storage: Storage;
  readonly application: Application;
  readonly now: Instant;
  readonly windows: WindowDraft;
}

/** Stored events, with the data for the steps after the commit. */
export interface Stored {
  readonly applicationId: string;
  readonly events: readonly IntakeEvent[];
  readonly entries: readonly LedgerEntry[];
  readonly playbooks: readonly LoadedPlaybook[];
  /** `seq` of the last ledger entry, if there are any. */
  readonly ledgerSeq?: number | undefined;
  /** `seq` of the pending scoring of the accounts, if there is one. */
  readonly scoringSeq?: number | undefined;
}

/** Processes events: updates the ledger, incidents, playbooks and payloads. */
export interface EventProcessor {
  /** Adds counts to their minutes, and returns the incidents that peaks changed. */
  count(work: IntakeWork, series: readonly CounterSeries[]): Promise<readonly IncidentChange[]>;
  store(
    work: IntakeWork,
    events: readonly IntakeEvent[],
    counted?: readonly IncidentChange[],
  ): Promise<Stored>;
  /** Restores the result of `store` after the process ended before `score`. */
  restore(storage: Storage, applicationId: string, events: readonly IntakeEvent[]): Promise<Stored>;
  /** Makes stored events count in lookups, and returns the accounts whose scores matter. */
  score(stored: Stored): readonly ScoredEvent[];
  /** Applies the consequences of account scores, in a separate transaction. */
  followScores(work: IntakeWork, scored: readonly ScoredEvent[]): Promise<void>;
}

export interface EventProcessorParts {
  readonly ledger: EventLedger;
  /** Returns the scores as an application receives them. */
  readonly peekOf: (applicationId: string) => RiskPeek;
  readonly settings: DetectionSettings;
  readonly dashboardUrl: () => string;
}

export function createEventProcessor(parts: EventProcessorParts): EventProcessor {
  const { ledger, peekOf, settings, dashboardUrl } = parts;
  const contextOf = ({ application, now }: IntakeWork): DetectionContext => {
    return { application, now, settings, dashboardUrl: dashboardUrl() };
  };
  return {
    async count(work, series) {
      const { storage, application } = work;
      const context = contextOf(work);
      const { peaks, windows } = findPeaks(work.windows, series, context);
      work.windows.apply(windows);
      return trackPeaks(await readOpenIncidents(storage, application.id, peaks), peaks, context);
    },

    async store(work, events, counted = []) {
      const { storage, application } = work;
      const applicationId = application.id;
      const context = contextOf(work);
      const entries = events.flatMap((event) => ledgerEntriesOf(application, event));
      const ledgerSeq = entries.length > 0 ? await storage.ledger.record(entries) : undefined;
      const groups = groupEvents(events, context);
      const open = await readOpenIncidents(storage, application.id, groups);
      const playbooks = await readPlaybooks(storage, application.id);
      const state = { windows: work.windows, open, playbooks };
      const changes = detectFromEvents(state, events, groups, counted, context);
      await applyChanges(work, changes, events);
      const ids = events.map(({ id }) => id);
      const scoringSeq = needsScores(events, playbooks, settings)
        ? await storage.pendingScorings.add(application.id, ids)
        : undefined;
      return { applicationId, events, entries, playbooks, ledgerSeq, scoringSeq };
    },

    async restore(storage, applicationId, events) {
      const application = await storage.applications.get(applicationId);
      const entries = application
        ? events.flatMap((event) => ledgerEntriesOf(application, event))
        : [];
      return {
        applicationId,
        events,
        entries,
        playbooks: await readPlaybooks(storage, applicationId),
      };
    },

    score: ({ applicationId, events, entries, playbooks }) =>
      scoreAccounts(events, entries, leastScore(playbooks, settings), {
        ledger,
        peek: peekOf(applicationId),
      }),

    async followScores(work, scored) {
      const { storage, application } = work;
      const topics = riskyEvents(scored, settings);
      const open = await readOpenIncidents(storage, application.id, topics);
      const playbooks = await readPlaybooks(storage, application.id);
      const state = { windows: work.windows, open, playbooks };
      await applyChanges(work, detectFromScores(state, scored, contextOf(work)), []);
    },
  };
}

async function readPlaybooks(
  { playbooks }: Storage,
  applicationId: string,
): Promise<readonly LoadedPlaybook[]> {
  return loadEnabled(await playbooks.list(applicationId));
}

/** Stores the changes from detection, and queues the payloads: events, incidents, then responses. */
async function applyChanges(
  { storage, application, windows }: IntakeWork,
  changes: DetectionChanges,
  events: readonly IntakeEvent[],
): Promise<void> {
  for (const { incident } of changes.incidents) {
    await storage.incidents.save({ ...incident, state: { ...incident.state } });
  }
  for (const { stored } of changes.actions) await storage.playbooks.recordResponse(stored);
  windows.apply(changes.windows);
  const payloads: readonly OutgoingPayload[] = [
    ...events.map(({ kind, payload }) => {
      return { type: "security_event", kind, payload: wireEvent(payload) } as const;
    }),
    ...changes.incidents.flatMap(({ payload }) => payload ?? []),
    ...changes.actions.map(({ payload }) => ({ type: "security_response", payload }) as const),
  ];
  await queuePayloads(storage, application, payloads);
}

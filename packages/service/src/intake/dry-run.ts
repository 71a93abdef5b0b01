import { setImmediate as nextTurn } from "node:timers/promises";
import { foldEmail } from "@riskgate/core/address";
import {
  createEngine,
  createMemoryLedger,
  type EngineOptions,
  type MemoryLedger,
  type MemoryLedgerOptions,
} from "@riskgate/engine";
import {
  type DetectionChanges,
  type DetectionContext,
  type DetectionState,
  detectFromEvents,
  detectFromScores,
  leastScore,
} from "../detection/detect.js";
import type { DetectionSettings } from "../detection/detection-settings.js";
import { groupEvents, sweepIncident, topicKey } from "../detection/incidents/track-incidents.js";
import type { PlaybookAction } from "../detection/playbooks/run-playbooks.js";
import { windowBounds } from "../detection/window-bounds.js";
import type { Application } from "../model/application.js";
import type { IntakeEvent, RecordedEvent } from "../model/event.js";
import type { IncidentRecord } from "../model/incident.js";
import { type Clock, epochMsOf, type Instant } from "../model/instant.js";
import type { Playbook, StoredResponse } from "../model/playbook.js";
import { randomId } from "../model/random-id.js";
import { ledgerEventOf } from "../model/ledger-event.js";
import type { LedgerRecord } from "../model/subject.js";
import { keyOf } from "../model/subject-key.js";
import type { Storage } from "../storage/storage.js";
import { createQueue } from "../base/queue.js";
import { restoreEvent } from "./restore-event.js";
import type { RiskPeek } from "../model/scratch.js";
import { ledgerRecordsOf, scoreAccounts } from "./risk-record.js";
import { createWindowMemory, type WindowMemory } from "./window-memory.js";

interface DryRunResult {
  readonly since: Instant;
  readonly events: number;
  /** True if there were more events, of which only the newest were used. */
  readonly isPartial: boolean;
  readonly responseCount: number;
  /** The latest responses, newest first. */
  readonly responses: readonly Pick<StoredResponse, "createdAt" | "endsAt" | "payload">[];
}

/** Tries a playbook on the events of recent days, without storing or sending anything. */
export type DryRun = (
  application: Application,
  playbook: Playbook,
  days: number,
) => Promise<DryRunResult>;

export interface DryRunParts {
  readonly storage: Storage;
  readonly rules: DetectionSettings;
  readonly ledger: Omit<MemoryLedgerOptions, "now">;
  readonly engine: Pick<EngineOptions, "allow" | "forwarding" | "weights">;
  readonly clock: Clock;
}

/** Maximum number of events in one run, which takes a few seconds. */
const MAX_EVENTS = 20_000;

/** Maximum number of events in one report, as in the intake. */
const MAX_REPORT = 1_000;

const PAGE = 1_000;

const MAX_RESPONSES = 100;
const DAY = 86_400_000_000;

/** Base of the URLs in payloads that are never sent. */
const NOWHERE = "https://dry-run.invalid";

/**
 * Creates the dry run. It repeats detection on the events, at the times at which they were reported, as
 * if the application had only this playbook.
 */
export function createDryRun(parts: DryRunParts): DryRun {
  const { storage, clock } = parts;
  // One run at a time, because each holds its events in memory.
  const queue = createQueue();

  return (application, playbook, days) =>
    queue.run(async () => {
      const since = clock() - days * DAY;
      const { events, isPartial } = await readEvents(storage, application.id, since);
      const time = { now: since };
      const ledger = createMemoryLedger({ ...parts.ledger, now: () => epochMsOf(time.now) });
      if ("accountScoreAbove" in playbook.rule) {
        await fillLedger(storage, ledger, application.id, events);
      }
      const engine = await createEngine(parts.engine);
      try {
        const replay = createReplay(
          application,
          playbook,
          { ...parts, ledger, peek: engine.withLedger(ledger) },
          time,
        );
        for (const report of reportsOf(events)) {
          time.now = report.at;
          replay.report(report.events);
          // Lets the process respond to lookups in between.
          await nextTurn();
        }
        const sent = replay.actions.map(({ stored }) => stored);
        return {
          since,
          events: events.length,
          isPartial,
          responseCount: sent.length,
          responses: sent.slice(-MAX_RESPONSES).toReversed(),
        };
      } finally {
        await engine.close();
      }
    });
}

interface Replay {
  readonly actions: readonly PlaybookAction[];
  report(recorded: readonly RecordedEvent[]): void;
}

interface ReplayParts {
  readonly rules: DetectionSettings;
  readonly ledger: MemoryLedger;
  readonly peek: RiskPeek;
}

function createReplay(
  application: Application,
  playbook: Playbook,
  { rules: settings, ledger, peek }: ReplayParts,
  time: { readonly now: Instant },
): Replay {
  const nowMs = (): number => epochMsOf(time.now);
  const windows: WindowMemory = createWindowMemory(windowBounds(settings), nowMs);
  const open = new Map<string, IncidentRecord>();
  const actions: PlaybookAction[] = [];
  const playbooks = [{ ...playbook, id: randomId() }];
  // Enables responses, even if the application does not receive them today.
  const wanting: Application = {
    ...application,
    webhookUrl: NOWHERE,
    disabledAt: null,
    payloadTypes: ["security_response"],
  };
  const state: DetectionState = { windows, open, playbooks };
  const apply = (changes: DetectionChanges): void => {
    for (const { incident } of changes.incidents) open.set(topicKey(incident), incident);
    windows.apply(changes.windows);
    actions.push(...changes.actions);
  };
  const sweep = (context: DetectionContext): void => {
    for (const [key, incident] of open) {
      const swept = sweepIncident(incident, context);
      if (!swept) continue;
      if (swept.endedAt === null) open.set(key, swept);
      else open.delete(key);
    }
  };

  return {
    actions,
    report(recorded) {
      const { now } = time;
      const context = { application: wanting, now, settings, dashboardUrl: NOWHERE };
      sweep(context);
      const { providerRules } = settings;
      const restored = { application, dashboardUrl: NOWHERE, providerRules };
      const events: readonly IntakeEvent[] = recorded.flatMap(
        (event) => restoreEvent(event, restored, now) ?? [],
      );
      apply(detectFromEvents(state, events, groupEvents(events, context), [], context));
      const entries = events.flatMap((event) => ledgerRecordsOf(event, 0));
      const scored = scoreAccounts(events, entries, leastScore(playbooks, settings), {
        ledger: { add: (added) => replayInto(ledger, added) },
        peek,
      });
      if (scored.length > 0) apply(detectFromScores(state, scored, context));
    },
  };
}

async function readEvents(
  storage: Storage,
  applicationId: string,
  since: Instant,
): Promise<{ readonly events: readonly RecordedEvent[]; readonly isPartial: boolean }> {
  const found: RecordedEvent[] = [];
  for (let beforeSeq = Number.MAX_SAFE_INTEGER; ;) {
    const page = await storage.events.list({ applicationId, since, limit: PAGE, beforeSeq });
    found.push(...page);
    const last = page.at(-1);
    if (page.length < PAGE || !last) break;
    if (found.length >= MAX_EVENTS) return { events: found.toReversed(), isPartial: true };
    beforeSeq = last.seq;
    await nextTurn();
  }
  return { events: found.toReversed(), isPartial: false };
}

/** Adds previous events to the ledger, so that they count towards account scores. */
async function fillLedger(
  { ledger: store }: Storage,
  ledger: MemoryLedger,
  reader: string,
  events: readonly RecordedEvent[],
): Promise<void> {
  const replayed = new Set(events.map(({ seq }) => seq));
  const first = events[0]?.occurredAt ?? Infinity;
  const accounts = new Set(
    events.flatMap(({ payload }) => {
      const keys = payload["application_account_account_keys"];
      return Array.isArray(keys) ? keys.map(({ value }: { value: string }) => value) : [];
    }),
  );
  const keys = new Set(
    [...accounts].map((subject) => keyOf({ type: "account", subject: foldEmail(subject) })),
  );
  for (const key of keys) {
    const [entries = []] = await store.historiesOf([{ type: "account", key, reader }]);
    const earlier = entries.filter(
      ({ seq, occurredAt }) => occurredAt <= first && !replayed.has(seq),
    );
    replayInto(ledger, earlier);
    await nextTurn();
  }
}

function replayInto(ledger: MemoryLedger, entries: readonly LedgerRecord[]): void {
  ledger.replay(entries.filter(({ isNotice }) => !isNotice).map(ledgerEventOf));
}

interface Report {
  readonly at: Instant;
  readonly events: RecordedEvent[];
}

/** Groups events that were received together, and leaves out erased ones. */
function reportsOf(events: readonly RecordedEvent[]): readonly Report[] {
  const reports: Report[] = [];
  for (const event of events) {
    if (event.payload["event_kind"] === undefined) continue;
    const last = reports.at(-1);
    if (last?.at === event.receivedAt && last.events.length < MAX_REPORT) last.events.push(event);
    else reports.push({ at: event.receivedAt, events: [event] });
  }
  return reports;
}

import {
  type DetectionChanges,
  type DetectionContext,
  detectFromEvents,
  detectFromScores,
  lastByAccount,
  leastScore,
  needsScores,
  type ScoredEvent,
} from "../detection/detect.js";
import { composeEvent, type EventContext } from "../detection/events/event.js";
import { contributionOfCount } from "../detection/incidents/contribution.js";
import { COUNTERS, type CounterSample } from "../detection/incidents/counter.js";
import {
  type CounterSeries,
  findPeaks,
  groupEvents,
  type IncidentChange,
  trackPeaks,
} from "../detection/incidents/track-incidents.js";
import { detectLogins } from "../detection/logins/detect-logins.js";
import { contributionOfOutcome, type LoginOutcome } from "../detection/logins/outcome.js";
import type { PlaybookAction } from "../detection/playbooks/run-playbooks.js";
import { WindowDraft } from "../detection/windows.js";
import type { IntakeEvent, RecordedEvent } from "../model/event.js";
import type { IncidentRecord } from "../model/incident.js";
import type { JsonObject } from "../model/json-object.js";
import type { LogEntry, NewLogEntry } from "../model/log-entry.js";
import { unpackEvent } from "../model/packed-event.js";
import type { LoadedPlaybook } from "../model/playbook.js";
import type { Scratch } from "../model/scratch.js";
import type { ApplicationState, StateChanges } from "./application-state.js";
import { derivedEntry } from "../model/derived-entry.js";
import { entryOfEvent } from "./read-report.js";
import { restoreEvent } from "./restore-event.js";
import { ledgerRecordsOf, scoreAccounts } from "./risk-record.js";

/** Everything that follows from a batch of entries. */
export interface Evaluation extends StateChanges {
  /** The events, in the order of the ledger; those that are derived come first in `derived`. */
  readonly events: readonly NumberedEvent[];
  readonly actions: readonly PlaybookAction[];
  /** Payloads to append to the log, in order: events, incidents, then responses. */
  readonly derived: readonly NewLogEntry[];
  /** True for entries that only detection reads, and that are deleted with this. */
  readonly isTransient?: true;
}

export interface EvaluateContext extends DetectionContext {
  readonly playbooks: readonly LoadedPlaybook[];
  readonly locate: EventContext["locate"];
  readonly scratch: Scratch;
  /** Events whose entries were read without their payload. */
  readonly recent?: ReadonlyMap<number, IntakeEvent>;
}

/**
 * Evaluates entries of one type. It changes nothing: the caller stores the result together with the
 * position in the log, and then applies it to the state.
 */
export async function evaluate(
  state: Pick<ApplicationState, "windows" | "open">,
  entries: readonly LogEntry[],
  context: EvaluateContext,
): Promise<Evaluation> {
  const [first] = entries;
  if (first === undefined) return NOTHING;
  if (first.type === "login") return evaluateLogins(state, entries, context);
  if (first.type === "counters") return evaluateCounters(state, entries, context);
  if (first.type !== "security_event") return NOTHING;
  const events = entries.flatMap((entry) => {
    const event =
      known(entry, context) ?? restoreEvent(recordedOf(entry), urlContext(context), context.now);
    return event ? [{ event, seq: entry.seq }] : [];
  });
  return evaluateEvents(state, events, [], context);
}

/** The evaluation of entries without consequences. */
export const NOTHING: Evaluation = {
  incidents: [],
  windows: [],
  events: [],
  actions: [],
  derived: [],
};

interface NumberedEvent {
  readonly event: IntakeEvent;
  /** `seq` in the log; undefined for an event that is derived now. */
  readonly seq: number | undefined;
}

async function evaluateLogins(
  state: Pick<ApplicationState, "windows" | "open">,
  entries: readonly LogEntry[],
  context: EvaluateContext,
): Promise<Evaluation> {
  const { application, settings, locate } = context;
  const { logins: thresholds, providerRules } = settings;
  const logins = entries.flatMap((entry) => {
    const outcome = parsed(entry) as LoginOutcome | undefined;
    return outcome ? [{ entry, outcome }] : [];
  });
  const outcomes = logins.map(({ outcome }) => outcome);
  const draft = new WindowDraft(state.windows);
  const { detected, windows } = detectLogins(draft, application.id, outcomes, {
    thresholds,
    providerRules,
    locate,
  });
  draft.apply(windows);
  const contributions = outcomes
    .filter((_, index) => detected[index])
    .map((one) => contributionOfOutcome(one, providerRules));
  const counted = count(draft, state, [{ counter: "failedLogins", contributions }], context);
  const composing = { ...urlContext(context), locate };
  const causes: number[] = [];
  const events = detected.flatMap((facts = [], index) =>
    facts.map((one) => {
      causes.push(logins[index]!.entry.seq);
      return { event: composeEvent(one, composing), seq: undefined };
    }),
  );
  const evaluation = await evaluateEvents(
    { windows: draft, open: state.open },
    events,
    counted,
    context,
  );
  const own = events.map(({ event }, index) => entryOfEvent(event, causes[index]!));
  draft.apply(evaluation.windows);
  return {
    ...evaluation,
    windows: draft.changes(),
    derived: [...own, ...evaluation.derived],
    isTransient: true,
  };
}

async function evaluateCounters(
  state: Pick<ApplicationState, "windows" | "open">,
  entries: readonly LogEntry[],
  context: EvaluateContext,
): Promise<Evaluation> {
  const samples = entries.flatMap((entry) => (parsed(entry) as CounterSample | undefined) ?? []);
  const draft = new WindowDraft(state.windows);
  const counted = count(draft, state, seriesOf(samples), context);
  const evaluation = await evaluateEvents(
    { windows: draft, open: state.open },
    [],
    counted,
    context,
  );
  draft.apply(evaluation.windows);
  return { ...evaluation, windows: draft.changes(), isTransient: true };
}

function count(
  draft: WindowDraft,
  { open }: Pick<ApplicationState, "open">,
  series: readonly CounterSeries[],
  context: EvaluateContext,
): readonly IncidentChange[] {
  const { peaks, windows } = findPeaks(draft, series, context);
  draft.apply(windows);
  return trackPeaks(open, peaks, context);
}

async function evaluateEvents(
  {
    windows,
    open,
  }: { readonly windows: ApplicationState["windows"] | WindowDraft } & Pick<
    ApplicationState,
    "open"
  >,
  numbered: readonly NumberedEvent[],
  counted: readonly IncidentChange[],
  context: EvaluateContext,
): Promise<Evaluation> {
  const { playbooks, settings } = context;
  const events = numbered.map(({ event }) => event);
  const current = new Map(open);
  const remember = ({ incidents }: Pick<DetectionChanges, "incidents">): void => {
    for (const { incident } of incidents) current.set(topicOf(incident), incident);
  };
  remember({ incidents: counted });
  const state = { windows, open: current, playbooks };
  const changes = detectFromEvents(state, events, groupEvents(events, context), counted, context);
  remember(changes);
  const scored = needsScores(events, playbooks, settings) ? await scoresOf(events, context) : [];
  const draft = new WindowDraft(windows);
  draft.apply(changes.windows);
  const followed =
    scored.length > 0
      ? detectFromScores({ ...state, windows: draft }, scored, context)
      : { incidents: [], actions: [], windows: [] };
  draft.apply(followed.windows);
  const incidents = [...changes.incidents, ...followed.incidents];
  const actions = [...changes.actions, ...followed.actions];
  return {
    events: numbered,
    incidents: [...new Map(incidents.map(({ incident }) => [incident.id, incident])).values()],
    windows: draft.changes(),
    actions,
    derived: [changes, followed].flatMap(payloadsOf),
  };
}

async function scoresOf(
  events: readonly IntakeEvent[],
  { playbooks, settings, scratch }: EvaluateContext,
): Promise<readonly ScoredEvent[]> {
  const accounts = [...lastByAccount(events).keys()];
  const ledger = events.flatMap((event) => ledgerRecordsOf(event, 0));
  return scoreAccounts(events, ledger, leastScore(playbooks, settings), await scratch(accounts));
}

/** Returns the payloads of incidents and responses as entries of the log. */
function payloadsOf({ incidents, actions }: DetectionChanges): readonly NewLogEntry[] {
  return [
    ...incidents.flatMap(({ payload }) => payload ?? []),
    ...actions.map(({ payload }) => ({ type: "security_response", payload }) as const),
  ].map(derivedEntry);
}

function topicOf({ genre, subject }: IncidentRecord): string {
  return `${genre}/${subject}`;
}

function urlContext({ application, dashboardUrl, settings }: EvaluateContext) {
  return { application, dashboardUrl, providerRules: settings.providerRules };
}

/** Returns undefined for an entry that was erased or can no longer be read. */
function parsed({ payload }: LogEntry): object | undefined {
  try {
    const value = JSON.parse(payload) as object;
    return Object.keys(value).length > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function known({ seq, payload }: LogEntry, { recent }: EvaluateContext): IntakeEvent | undefined {
  return payload === "" ? recent?.get(seq) : undefined;
}

function recordedOf(entry: LogEntry): RecordedEvent {
  const payload = unpackEvent((parsed(entry) ?? {}) as JsonObject, entry);
  return { ...entry, id: entry.eventId!, payload };
}

function seriesOf(samples: readonly CounterSample[]): readonly CounterSeries[] {
  return COUNTERS.map((counter) => ({
    counter,
    contributions: samples.flatMap(({ at, counts }) =>
      counts[counter] === undefined ? [] : [contributionOfCount(at, counts[counter])],
    ),
  })).filter(({ contributions }) => contributions.length > 0);
}

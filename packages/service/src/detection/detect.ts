import type { Application } from "../model/application.js";
import type { IntakeEvent } from "../model/event.js";
import type { Instant } from "../model/instant.js";
import type { LoadedPlaybook } from "../model/playbook.js";
import type { DetectionSettings } from "./detection-settings.js";
import { isWanted } from "./events/wanted-payload.js";
import { crossesScore } from "./incidents/genre-rule.js";
import {
  type EventGroup,
  type IncidentChange,
  type OpenIncidents,
  type RiskyEvent,
  trackEvents,
  trackRiskyEvents,
} from "./incidents/track-incidents.js";
import {
  type PlaybookAction,
  type PlaybookChanges,
  type PlaybookTriggers,
  runPlaybooks,
} from "./playbooks/run-playbooks.js";
import { type WindowChange, WindowDraft, type Windows } from "./windows.js";

/** What detection knows of an application. */
export interface DetectionState {
  readonly windows: Windows;
  /** Those of the topics in question. */
  readonly open: OpenIncidents;
  readonly playbooks: readonly LoadedPlaybook[];
}

/** Circumstances of a detection. */
export interface DetectionContext {
  readonly application: Application;
  readonly now: Instant;
  readonly settings: DetectionSettings;
  /** Without a slash at its end. */
  readonly dashboardUrl: string;
}

/** Changes that follow; the caller stores them and applies those of the windows. */
export interface DetectionChanges {
  readonly incidents: readonly IncidentChange[];
  readonly actions: readonly PlaybookAction[];
  readonly windows: readonly WindowChange[];
}

/** An event of an account, with the score of the account before it counted and since. */
export interface ScoredEvent {
  readonly event: IntakeEvent;
  readonly before: number;
  readonly score: number;
}

/** No score is above it. */
const MAX_SCORE = 100;

/**
 * Detects what follows from events at once: incidents and responses.
 *
 * @param groups Of the same events, by `groupEvents`.
 * @param counted Incidents that counters of the same report changed.
 */
export function detectFromEvents(
  state: DetectionState,
  events: readonly IntakeEvent[],
  groups: readonly EventGroup[],
  counted: readonly IncidentChange[],
  context: DetectionContext,
): DetectionChanges {
  const draft = new WindowDraft(state.windows);
  const tracked = trackEvents({ windows: draft, open: state.open }, groups, context);
  draft.apply(tracked.windows);
  const incidents = [...counted, ...tracked.incidents];
  const { actions, windows } = respond(draft, state, { events, incidents, scores: [] }, context);
  draft.apply(windows);
  return { incidents, actions, windows: draft.changes() };
}

/** Detects what follows from the scores of accounts. */
export function detectFromScores(
  state: DetectionState,
  scored: readonly ScoredEvent[],
  context: DetectionContext,
): DetectionChanges {
  const incidents = trackRiskyEvents(state.open, riskyEvents(scored, context.settings), context);
  const triggers = { events: [], incidents, scores: scored };
  return { incidents, ...respond(state.windows, state, triggers, context) };
}

/** Returns the events whose accounts have a score above the threshold of incidents. */
export function riskyEvents(
  scored: readonly ScoredEvent[],
  { incidents }: DetectionSettings,
): readonly RiskyEvent[] {
  return scored
    .filter(({ score }) => score > incidents.accountScoreAbove)
    .map(({ event, before, score }) => ({
      event,
      genre: "user_risk_increased",
      subject: event.mailbox ?? "",
      isCrossing: crossesScore(before, score, incidents),
    }));
}

/** Returns the last event of each account that can have a score. */
export function lastByAccount(events: readonly IntakeEvent[]): ReadonlyMap<string, IntakeEvent> {
  const last = new Map<string, IntakeEvent>();
  // The engine scores emails: any other name would get the score of a malformed one.
  for (const event of events) if (event.account?.includes("@")) last.set(event.account, event);
  return last;
}

/** Returns the score above which something may follow. */
export function leastScore(
  playbooks: readonly LoadedPlaybook[],
  { incidents }: DetectionSettings,
): number {
  return playbooks.reduce(
    (lowest, { rule }) =>
      "accountScoreAbove" in rule ? Math.min(lowest, rule.accountScoreAbove) : lowest,
    incidents.accountScoreAbove,
  );
}

/** Whether anything may follow from the scores of accounts. */
export function needsScores(
  events: readonly IntakeEvent[],
  playbooks: readonly LoadedPlaybook[],
  settings: DetectionSettings,
): boolean {
  return lastByAccount(events).size > 0 && leastScore(playbooks, settings) < MAX_SCORE;
}

function respond(
  windows: Windows,
  { playbooks }: DetectionState,
  triggers: PlaybookTriggers,
  context: DetectionContext,
): PlaybookChanges {
  // A response that nobody receives must not hold back the next one.
  if (!isWanted(context.application, { type: "security_response" })) {
    return { actions: [], windows: [] };
  }
  return runPlaybooks(windows, playbooks, triggers, context);
}

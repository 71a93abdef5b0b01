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

export interface DetectionState {
  readonly windows: Windows;
  readonly open: OpenIncidents;
  readonly playbooks: readonly LoadedPlaybook[];
}

export interface DetectionContext {
  readonly application: Application;
  readonly now: Instant;
  readonly settings: DetectionSettings;
  /** Base of the dashboard URLs, without a trailing slash. */
  readonly dashboardUrl: string;
  /** True if the application reads its blocks from the service, so that it needs no endpoint. */
  readonly isPulled?: boolean;
  /** True if no response may block a target, because an operator allows it. */
  readonly isAllowed?: (type: "network" | "account", target: string) => boolean;
}

/** Detected changes, which the caller stores; it also applies the window changes. */
export interface DetectionChanges {
  readonly incidents: readonly IncidentChange[];
  readonly actions: readonly PlaybookAction[];
  readonly windows: readonly WindowChange[];
}

/** An account's event, with the account's score before and after the event counted. */
export interface ScoredEvent {
  readonly event: IntakeEvent;
  readonly before: number;
  readonly score: number;
}

const MAX_SCORE = 100;

/**
 * Detects the direct results of events: incidents and responses.
 *
 * @param groups The same events, grouped by `groupEvents`.
 * @param counted Incidents changed by counters in the same report.
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

export function detectFromScores(
  state: DetectionState,
  scored: readonly ScoredEvent[],
  context: DetectionContext,
): DetectionChanges {
  const incidents = trackRiskyEvents(state.open, riskyEvents(scored, context.settings), context);
  const triggers = { events: [], incidents, scores: scored };
  return { incidents, ...respond(state.windows, state, triggers, context) };
}

/** Returns the events of accounts with a score above the incident threshold. */
function riskyEvents(
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

export function lastByAccount(events: readonly IntakeEvent[]): ReadonlyMap<string, IntakeEvent> {
  const last = new Map<string, IntakeEvent>();
  // The engine scores emails; any other name would get the score of a malformed email.
  for (const event of events) if (event.account?.includes("@")) last.set(event.account, event);
  return last;
}

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
  // A response that is not delivered must not suppress the next one.
  if (!context.isPulled && !isWanted(context.application, { type: "security_response" })) {
    return { actions: [], windows: [] };
  }
  return runPlaybooks(windows, playbooks, triggers, context);
}

import type { Application } from "../../model/application.js";
import type { OutgoingPayload } from "../../model/delivery.js";
import type { IntakeEvent } from "../../model/event.js";
import type { IncidentRecord, IncidentTopic } from "../../model/incident.js";
import type { Instant } from "../../model/instant.js";
import { type WindowChange, WindowDraft, type Windows } from "../windows.js";
import { addToMinutes, isPeak, type Minute } from "./baseline.js";
import { type Contribution, contributionOfCount, contributionOfEvent } from "./contribution.js";
import { COUNTER_GENRES, type Counter, minuteOf } from "./counter.js";
import { begins, type GenreRule, ruleOf } from "./genre-rule.js";
import { beginIncident, endIncident, extendIncident } from "./incident.js";
import type { IncidentSettings } from "./incident-settings.js";
import { pulseOf } from "./pulse.js";

export type Topic = Pick<IncidentTopic, "genre" | "subject">;

/** The open incidents with the relevant topics, by {@link topicKey}. */
export type OpenIncidents = ReadonlyMap<string, IncidentRecord>;

export interface IncidentContext {
  readonly application: Application;
  readonly now: Instant;
  readonly settings: IncidentSettings;
  /** Base of the dashboard URLs, without a trailing slash. */
  readonly dashboardUrl: string;
}

export interface IncidentChange {
  readonly incident: IncidentRecord;
  readonly events: readonly IntakeEvent[];
  /** The payload to deliver; undefined if the next update will deliver it. */
  readonly payload: OutgoingPayload | undefined;
}

export interface IncidentChanges {
  readonly incidents: readonly IncidentChange[];
  readonly windows: readonly WindowChange[];
}

export interface EventGroup extends Topic {
  readonly rule: GenreRule;
  readonly events: readonly IntakeEvent[];
}

export interface CounterSeries {
  readonly counter: Counter;
  readonly contributions: readonly Contribution[];
}

/** Counts that belong to a peak. */
export interface Peak extends Topic {
  readonly contributions: readonly [Contribution, ...Contribution[]];
  /** Total of the same minutes before they became a peak. */
  readonly before: number;
}

/** An event of an account with a score above the threshold. */
export interface RiskyEvent extends Topic {
  readonly event: IntakeEvent;
  /** True if the event raised the score above the threshold. */
  readonly isCrossing: boolean;
}

const MICROS_PER_MS = 1000;

/** Maximum number of events stored until an incident opens. */
const MAX_WAITING = 1000;

export function topicKey({ genre, subject }: Topic): string {
  return `${genre}/${subject}`;
}

/** Groups events by topic, and leaves out those that are too old or have no rule. */
export function groupEvents(
  events: readonly IntakeEvent[],
  { now, settings }: Pick<IncidentContext, "now" | "settings">,
): readonly EventGroup[] {
  const quiet = settings.incidents.quietMs * MICROS_PER_MS;
  const groups = new Map<string, EventGroup & { readonly events: IntakeEvent[] }>();
  for (const event of events) {
    const rule = event.occurredAt > now - quiet ? ruleOf(event.kind) : undefined;
    if (!rule) continue;
    const subject = rule.about === "account" ? (event.mailbox ?? "") : "";
    const topic = { genre: rule.genre, subject };
    const group = groups.get(topicKey(topic)) ?? { ...topic, rule, events: [] };
    group.events.push(event);
    groups.set(topicKey(topic), group);
  }
  return [...groups.values()];
}

/** Adds events to open incidents, or opens an incident if there are enough events. */
export function trackEvents(
  { windows, open }: { readonly windows: Windows; readonly open: OpenIncidents },
  groups: readonly EventGroup[],
  context: IncidentContext,
): IncidentChanges {
  const { application, now, settings } = context;
  const draft = new WindowDraft(windows);
  const waiting = draft.map<readonly Contribution[]>("waiting");
  const incidents = groups.flatMap((group) => {
    const added = group.events.map(contributionOfEvent);
    const found = open.get(topicKey(group));
    if (found) return [extend(found, added, context, group.events)];
    const key = `${application.id}/${topicKey(group)}`;
    const windowMs = settings.incidents.windowMs;
    const all = waitFor([...(waiting.get(key) ?? []), ...added], now, windowMs);
    const [first, ...others] = all;
    if (!first || !begins(group.rule, all.length, settings.incidents)) {
      waiting.set(key, all);
      return [];
    }
    waiting.set(key, []);
    return [begin(group, [first, ...others], context, group.events)];
  });
  return { incidents, windows: draft.changes() };
}

export function findPeaks(
  windows: Windows,
  series: readonly CounterSeries[],
  { application, now, settings }: IncidentContext,
): { readonly peaks: readonly Peak[]; readonly windows: readonly WindowChange[] } {
  const quiet = settings.incidents.quietMs * MICROS_PER_MS;
  const draft = new WindowDraft(windows);
  const minutes = draft.map<readonly Minute[]>("minutes");
  const peaks = series.flatMap(({ counter, contributions }): readonly Peak[] => {
    const key = `${application.id}/${counter}`;
    const added = byMinute(contributions);
    const all = added.reduce(
      (before, one) => addToMinutes(before, one, settings.peaks),
      minutes.get(key) ?? [],
    );
    minutes.set(key, all);
    const least = settings.peaks[counter];
    const inPeak = new Set(
      added.map(({ minute }) => minute).filter((one) => isPeak(all, one, least, settings.peaks)),
    );
    const [first, ...others] = contributions.filter(
      ({ at, events }) => events > 0 && at > now - quiet && inPeak.has(minuteOf(at)),
    );
    if (!first) return [];
    const topic = { genre: COUNTER_GENRES[counter], subject: "" };
    return [
      { ...topic, contributions: [first, ...others], before: earlierIn([first, ...others], all) },
    ];
  });
  return { peaks, windows: draft.changes() };
}

export function trackPeaks(
  open: OpenIncidents,
  peaks: readonly Peak[],
  context: IncidentContext,
): readonly IncidentChange[] {
  return peaks.map((peak) => {
    const { contributions, before } = peak;
    const found = open.get(topicKey(peak));
    if (found) return extend(found, contributions, context);
    const earlier = before > 0 ? [contributionOfCount(contributions[0].at, before)] : [];
    return begin(peak, [...contributions, ...earlier], context);
  });
}

/** Adds events of risky accounts to open incidents, or opens one for each that crosses the threshold. */
export function trackRiskyEvents(
  open: OpenIncidents,
  risky: readonly RiskyEvent[],
  context: IncidentContext,
): readonly IncidentChange[] {
  const current = new Map(open);
  return risky.flatMap((one) => {
    const { event, subject, isCrossing } = one;
    const accountNames = [event.account ?? ""];
    const contribution = { ...contributionOfEvent(event), accounts: [subject], accountNames };
    const found = current.get(topicKey(one));
    if (!found && !isCrossing) return [];
    const change = found
      ? extend(found, [contribution], context, [event])
      : begin(one, [contribution], context, [event]);
    current.set(topicKey(one), change.incident);
    return [change];
  });
}

/** Ends an open incident that is quiet; undefined if there is nothing to publish. */
export function sweepIncident(
  open: IncidentRecord,
  context: Pick<IncidentContext, "now" | "settings">,
): IncidentRecord | undefined {
  const { now, settings } = context;
  const isQuiet = open.updatedAt < now - settings.incidents.quietMs * MICROS_PER_MS;
  if (isQuiet) return endIncident(open, now);
  // If the clock was set back, the quiet time starts now, so that the incident does not remain open.
  if (open.updatedAt > now) return { ...open, updatedAt: now };
  const isBehind = open.updatedAt > open.state.publishedAt && isUpdateDue(open, context);
  return isBehind ? open : undefined;
}

function extend(
  open: IncidentRecord,
  contributions: readonly Contribution[],
  context: IncidentContext,
  events: readonly IntakeEvent[] = [],
): IncidentChange {
  const incident = extendIncident(open, contributions, context.now);
  if (isUpdateDue(open, context)) return publishIncident(incident, events, context);
  return { incident, events, payload: undefined };
}

function begin(
  { genre, subject }: Topic,
  contributions: readonly [Contribution, ...Contribution[]],
  context: IncidentContext,
  events: readonly IntakeEvent[] = [],
): IncidentChange {
  const topic = { applicationId: context.application.id, genre, subject };
  return publishIncident(beginIncident(topic, contributions, context.now), events, context);
}

export function publishIncident(
  changed: IncidentRecord,
  events: readonly IntakeEvent[],
  { application, dashboardUrl, now, settings }: IncidentContext,
): IncidentChange {
  const { accountScoreAbove } = settings.incidents;
  const payload = pulseOf(changed, { application, dashboardUrl, accountScoreAbove });
  const state = { ...changed.state, publishedAt: now };
  const incident = { ...changed, payload: { ...payload }, state };
  return { incident, events, payload: { type: "pulse", kind: incident.genre, payload } };
}

function isUpdateDue(
  { state: { publishedAt } }: IncidentRecord,
  { now, settings }: Pick<IncidentContext, "now" | "settings">,
): boolean {
  // A future time was recorded before the clock was set back.
  return publishedAt > now || now - publishedAt >= settings.incidents.updateEveryMs * MICROS_PER_MS;
}

/** Returns the contributions that may still open an incident, oldest first. */
function waitFor(
  contributions: readonly Contribution[],
  now: Instant,
  windowMs: number,
): readonly Contribution[] {
  const all = contributions
    // After the clock was set back, entries with a future time count as new.
    .map((one) => (one.at > now ? { ...one, at: now } : one))
    .toSorted((a, b) => a.at - b.at);
  const start = (all.at(-1)?.at ?? 0) - windowMs * MICROS_PER_MS;
  return all.filter(({ at }) => at > start).slice(-MAX_WAITING);
}

function byMinute(contributions: readonly Contribution[]): readonly Minute[] {
  const sums = new Map<number, number>();
  for (const { at, events } of contributions) {
    sums.set(minuteOf(at), (sums.get(minuteOf(at)) ?? 0) + events);
  }
  return [...sums].map(([minute, count]) => ({ minute, count }));
}

/** Returns the counts of the same minutes without these contributions. */
function earlierIn(contributions: readonly Contribution[], all: readonly Minute[]): number {
  return byMinute(contributions).reduce((sum, { minute, count }) => {
    const whole = all.find((one) => one.minute === minute)?.count ?? count;
    return sum + whole - count;
  }, 0);
}

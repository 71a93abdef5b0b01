import type { IncidentGenre } from "@riskgate/core/payloads";
import type { IntakeEvent } from "../../model/event.js";
import type { RuleState } from "../../intake/window-memory.js";
import type { OutgoingPayload } from "../../model/delivery.js";
import type { IncidentSettings } from "./incident-settings.js";
import type { Application } from "../../model/application.js";
import type { StoredIncident } from "../../model/incident.js";
import type { Instant } from "../../model/instant.js";
import type { Storage } from "../../storage/storage.js";
import { addToMinutes, isPeak, type Minute } from "./baseline.js";
import { COUNTER_GENRES, type Counter, minuteOf } from "./counter.js";
import { begins, ruleOf } from "./genre-rule.js";
import { beginIncident, endIncident, extendIncident } from "./incident.js";
import type { IncidentRecord, IncidentState } from "../../model/incident.js";
import { pulseOf } from "./pulse.js";
import { type Contribution, contributionOfCount, contributionOfEvent } from "./contribution.js";

/** What one piece of work may use and gives back. */
interface IncidentWork {
  readonly storage: Storage;
  readonly application: Application;
  readonly now: Instant;
}

/** An incident that began or went on. */
export interface IncidentChange {
  readonly incident: IncidentRecord;
  /** The events that were added, if events were. */
  readonly events: readonly IntakeEvent[];
  /** What to deliver; undefined where the next update will say it. */
  readonly payload: OutgoingPayload | undefined;
}

/** Groups events, counters and scores into incidents. */
export interface IncidentTracker {
  /** Group events by their rules. */
  addEvents(work: IncidentWork, events: readonly IntakeEvent[]): Promise<readonly IncidentChange[]>;
  /** Take in a counter; what is known of those counted may be given with it. */
  addCount(
    work: IncidentWork,
    counter: Counter,
    contributions: readonly Contribution[],
  ): Promise<IncidentChange | undefined>;
  /** Take in an event of an account whose score is above the threshold. */
  addRiskyEvent(
    work: IncidentWork,
    event: IntakeEvent,
    isCrossing: boolean,
  ): Promise<IncidentChange | undefined>;
  /** End what has been quiet, and deliver what has changed since it was last delivered. */
  sweep(storage: Storage, now: Instant): Promise<readonly SweptIncident[]>;
}

/** An incident whose payload is due. */
interface SweptIncident {
  readonly application: Application;
  readonly payload: OutgoingPayload;
}

/** What the tracker needs. */
export interface IncidentTrackerParts {
  readonly ruleState: RuleState;
  readonly settings: IncidentSettings;
  /** Without a slash at its end. */
  readonly dashboardUrl: () => string;
}

/** Most incidents that one sweep looks at. */
const MAX_SWEPT = 1000;

const MICROS_PER_MS = 1000;

/** Creates a tracker with empty windows of events; the incidents themselves are in the storage. */
export function createIncidentTracker(parts: IncidentTrackerParts): IncidentTracker {
  const { ruleState, settings, dashboardUrl } = parts;
  const thresholds = settings.incidents;
  const quiet = thresholds.quietMs * MICROS_PER_MS;
  const waiting = ruleState.map<readonly Contribution[]>("waiting", {
    maxEntries: settings.maxSubjects,
    lifetimeMs: thresholds.windowMs,
  });
  const minutes = ruleState.map<readonly Minute[]>("minutes", {
    maxEntries: settings.maxSubjects,
    lifetimeMs: 24 * 3_600_000,
  });

  /** Put the payload into the incident and save it, where an update is due. */
  const save = async (
    { storage, application, now }: IncidentWork,
    changed: IncidentRecord,
    isDue: boolean,
  ): Promise<{ incident: IncidentRecord; payload: OutgoingPayload | undefined }> => {
    const { accountScoreAbove } = thresholds;
    const payload = isDue
      ? pulseOf(changed, { application, dashboardUrl: dashboardUrl(), accountScoreAbove })
      : undefined;
    const incident: IncidentRecord = payload
      ? { ...changed, payload: { ...payload }, state: { ...changed.state, publishedAt: now } }
      : changed;
    await storage.incidents.save({ ...incident, state: { ...incident.state } });
    return { incident, payload: payload && { type: "pulse", kind: incident.genre, payload } };
  };

  const findOpen = async (
    work: IncidentWork,
    genre: IncidentGenre,
    subject: string,
  ): Promise<IncidentRecord | undefined> => {
    const found = await work.storage.incidents.findOpen(work.application.id, genre, subject);
    return found && recordOf(found);
  };

  const isUpdateDue = ({ state: { publishedAt } }: IncidentRecord, now: Instant): boolean =>
    // What lies ahead is from before the clock was set back.
    publishedAt > now || now - publishedAt >= thresholds.updateEveryMs * MICROS_PER_MS;

  const extend = async (
    work: IncidentWork,
    open: IncidentRecord,
    contributions: readonly Contribution[],
    events: readonly IntakeEvent[] = [],
  ): Promise<IncidentChange> => {
    const changed = extendIncident(open, contributions, work.now);
    return { ...(await save(work, changed, isUpdateDue(open, work.now))), events };
  };

  const begin = async (
    work: IncidentWork,
    genre: IncidentGenre,
    subject: string,
    contributions: readonly [Contribution, ...Contribution[]],
    events: readonly IntakeEvent[] = [],
  ): Promise<IncidentChange> => {
    const topic = { applicationId: work.application.id, genre, subject };
    return { ...(await save(work, beginIncident(topic, contributions, work.now), true)), events };
  };

  /** Let events wait until there are enough; what has waited so far, this included. */
  const wait = (
    key: string,
    contributions: readonly Contribution[],
    now: Instant,
  ): readonly Contribution[] => {
    const all = [...(waiting.get(key) ?? []), ...contributions]
      // After the clock was set back, what came before counts as new.
      .map((one) => (one.at > now ? { ...one, at: now } : one))
      .toSorted((a, b) => a.at - b.at);
    const start = (all.at(-1)?.at ?? 0) - thresholds.windowMs * MICROS_PER_MS;
    const kept = all.filter(({ at }) => at > start).slice(-1000);
    waiting.set(key, kept);
    return kept;
  };

  return {
    async addEvents(work, events) {
      const { application, now } = work;
      const changes: IncidentChange[] = [];
      for (const [key, group] of groupsOf(events.filter((one) => one.occurredAt > now - quiet))) {
        const { rule, subject } = group;
        const contributions = group.events.map(contributionOfEvent);
        const open = await findOpen(work, rule.genre, subject);
        if (open) {
          changes.push(await extend(work, open, contributions, group.events));
          continue;
        }
        const [first, ...others] = wait(`${application.id}/${key}`, contributions, now);
        if (!first || !begins(rule, 1 + others.length, thresholds)) continue;
        waiting.set(`${application.id}/${key}`, []);
        changes.push(await begin(work, rule.genre, subject, [first, ...others], group.events));
      }
      return changes;
    },

    async addCount(work, counter, contributions) {
      const { application, now } = work;
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
      const peaks = contributions.filter(
        ({ at, events }) => events > 0 && at > now - quiet && inPeak.has(minuteOf(at)),
      );
      const [first, ...others] = peaks;
      if (!first) return undefined;
      const open = await findOpen(work, COUNTER_GENRES[counter], "");
      if (open) return extend(work, open, peaks);
      // What was counted in those minutes before they were peaks belongs to them as well.
      const before = earlierIn(peaks, all);
      const contribution = before > 0 ? [contributionOfCount(first.at, before)] : [];
      return begin(work, COUNTER_GENRES[counter], "", [first, ...others, ...contribution]);
    },

    async addRiskyEvent(work, event, isCrossing) {
      const subject = event.mailbox ?? "";
      const open = await findOpen(work, "user_risk_increased", subject);
      const contribution = {
        ...contributionOfEvent(event),
        accounts: [subject],
        accountNames: [event.account ?? ""],
      };
      if (open) return extend(work, open, [contribution], [event]);
      if (!isCrossing) return undefined;
      return begin(work, "user_risk_increased", subject, [contribution], [event]);
    },

    async sweep(storage, now) {
      const swept: SweptIncident[] = [];
      const settle = async (stored: StoredIncident, isQuiet: boolean): Promise<void> => {
        const open = recordOf(stored);
        const isAhead = open.updatedAt > now;
        const isBehind = open.updatedAt > open.state.publishedAt && isUpdateDue(open, now);
        if (!isQuiet && !isBehind && !isAhead) return;
        const application = await storage.applications.get(open.applicationId);
        if (!application) return;
        // Set back, the clock must not keep it open: it goes on from now.
        const current = isAhead ? { ...open, updatedAt: now } : open;
        const next = isQuiet ? endIncident(open, now) : current;
        const { payload } = await save({ storage, application, now }, next, true);
        swept.push({ application, payload: payload! });
      };
      const filter = { open: true, limit: MAX_SWEPT };
      const quietOnes = await storage.incidents.list({ ...filter, updatedBefore: now - quiet });
      for (const one of quietOnes) await settle(one, true);
      for (const one of await storage.incidents.list(filter)) {
        if (!quietOnes.some(({ id }) => id === one.id)) await settle(one, false);
      }
      return swept;
    },
  };
}

interface Group {
  readonly rule: NonNullable<ReturnType<typeof ruleOf>>;
  readonly subject: string;
  readonly events: IntakeEvent[];
}

/** Events that belong together, by genre and subject; those that no rule is about are left out. */
function groupsOf(events: readonly IntakeEvent[]): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>();
  for (const event of events) {
    const rule = ruleOf(event.kind);
    if (!rule) continue;
    const subject = rule.about === "account" ? (event.mailbox ?? "") : "";
    const key = `${rule.genre}/${subject}`;
    const group = groups.get(key) ?? { rule, subject, events: [] };
    group.events.push(event);
    groups.set(key, group);
  }
  return groups;
}

/** Sums by minute. */
function byMinute(contributions: readonly Contribution[]): readonly Minute[] {
  const sums = new Map<number, number>();
  for (const { at, events } of contributions) {
    sums.set(minuteOf(at), (sums.get(minuteOf(at)) ?? 0) + events);
  }
  return [...sums].map(([minute, count]) => ({ minute, count }));
}

/** What the minutes of some contributions held before them. */
function earlierIn(contributions: readonly Contribution[], all: readonly Minute[]): number {
  const added = byMinute(contributions);
  return added.reduce((sum, { minute, count }) => {
    const whole = all.find((one) => one.minute === minute)?.count ?? count;
    return sum + whole - count;
  }, 0);
}

/** What this code stored as the state, it can read. */
function recordOf(stored: StoredIncident): IncidentRecord {
  return { ...stored, state: stored.state as unknown as IncidentState };
}

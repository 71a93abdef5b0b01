import { RiskGateError } from "@riskgate/core";
import { COUNTERS, type CounterSample, readSample } from "../detection/incidents/counter.js";
import {
  createIncidentTracker,
  type IncidentChange,
} from "../detection/incidents/track-incidents.js";
import { contributionOfCount } from "../detection/incidents/contribution.js";
import { createPlaybookRunner } from "../detection/playbooks/run-playbooks.js";
import { type Clock, systemClock } from "../model/instant.js";
import type { Subject } from "../model/subject.js";
import type { Revisions } from "../storage/storage.js";
import type { Storage } from "../storage/storage.js";
import { createEventProcessor, type IntakeWork, type Stored } from "./event-processor.js";
import { composeEvent, type EventContext, namedBy } from "../detection/events/event.js";
import type { EventFacts, IntakeEvent } from "../model/event.js";
import { isKnownKind } from "../model/event-kind.js";
import { createLoginWatch } from "../detection/logins/detect-logins.js";
import { createRuleState } from "./window-memory.js";
import {
  type LoginOutcome,
  readOutcome,
  contributionOfOutcome,
} from "../detection/logins/outcome.js";
import { queuePayloads } from "../detection/events/wanted-payload.js";
import { readEvent } from "../detection/events/read-event.js";
import type { LedgerMemory } from "./ledger-memory.js";
import { createRecordMemory } from "./record-memory.js";
import { createScoreQueue } from "./score-queue.js";
import { createWriterQueue } from "./writer-queue.js";
import {
  readElements,
  type Report,
  type ReportedElement,
  reportOf,
} from "../detection/events/report.js";
import { locateIp, type RiskPeek } from "./risk-record.js";
import { RULE_DEFAULTS, type RuleSettings } from "../detection/detection-settings.js";

/** Takes in what applications report. What is reported as accepted is on disk. */
export interface Intake {
  /**
   * Security events, at most 1,000; see `readEvent`. One whose id was reported before is a duplicate.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT for anything else, or an unknown application; STORE_FAILED
   */
  report(applicationId: string, events: unknown): Promise<Report>;
  /** Login outcomes, at most 1,000; see `readOutcome`. @throws {RiskGateError} as `report` */
  outcomes(applicationId: string, outcomes: unknown): Promise<Report>;
  /** Samples of counters, at most 1,000, or one of them; see `readSample`. @throws {RiskGateError} as `report` */
  counters(applicationId: string, samples: unknown): Promise<Report>;
  /**
   * Take in what other processes, or an earlier one, have stored, and do what they left undone. Done
   * by itself before anything is added; to be called from time to time where there are other processes.
   */
  follow(): Promise<Revisions>;
  /** Forgets an account or address; to be called after `storage.erase`. */
  forget(subject: Subject): Promise<void>;
  /** End the incidents that have been quiet for long. Done by itself every `sweepEveryMs`. */
  sweep(): Promise<void>;
  /** Finish what was begun, and stop. */
  close(): Promise<void>;
}

/** What the intake needs. */
export interface IntakeOptions {
  readonly storage: Storage;
  /** Ledger that lookups read. */
  readonly ledger: LedgerMemory;
  /** How long an event counts there; default 365 days. */
  readonly retentionMs?: number;
  /** Engine that answers from it. */
  readonly peek: RiskPeek;
  /** Start of the URLs in payloads, without a slash at its end; asked for each of them. */
  readonly dashboardUrl: () => string;
  /** Default {@link RULE_DEFAULTS}. */
  readonly rules?: RuleSettings;
  readonly clock?: Clock;
  /** Monotonic clock in milliseconds; default `performance.now`. */
  readonly nowMs?: () => number;
  /** Default 30,000; 0 for never by itself. */
  readonly sweepEveryMs?: number;
  /** Called when payloads of an application wait in the outbox. */
  readonly onQueued?: (applicationId: string) => void;
  /** Called with an error that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

const YEAR_MS = 365 * 24 * 3_600_000;

/** Creates the intake. */
export function createIntake(options: IntakeOptions): Intake {
  const { storage, ledger, peek, dashboardUrl, onQueued, onError } = options;
  const { retentionMs = YEAR_MS } = options;
  const { clock = systemClock, sweepEveryMs = 30_000, rules: settings = RULE_DEFAULTS } = options;
  const { nowMs = () => performance.now() } = options;
  const { maxSubjects, providerRules } = settings;
  const locate = (ip: string): ReturnType<EventContext["locate"]> => locateIp(peek, ip);

  const ruleState = createRuleState(nowMs);
  const watch = createLoginWatch({
    ruleState,
    thresholds: settings.logins,
    maxSubjects,
    providerRules,
    locate,
  });
  const tracker = createIncidentTracker({ ruleState, settings, dashboardUrl });
  const runner = createPlaybookRunner(ruleState, maxSubjects);
  const thresholds = settings.incidents;
  const processor = createEventProcessor({ tracker, runner, ledger, peek, thresholds });

  const context = () => ({ dashboardUrl: dashboardUrl(), providerRules });
  const memory = createRecordMemory({ ledger, ruleState, context, retentionMs, clock });
  const judge = createScoreQueue({ memory, processor, clock, onError });

  let isBegun = false;

  const compose = ({ application }: IntakeWork, facts: EventFacts): IntakeEvent =>
    composeEvent(facts, { application, dashboardUrl: dashboardUrl(), providerRules, locate });

  const inTransaction = async <T>(
    turn: Storage,
    applicationId: string,
    work: (work: IntakeWork) => Promise<T>,
  ): Promise<T> =>
    memory.transaction(turn, async (inner) => {
      const application = await inner.applications.get(applicationId);
      if (application) return work({ storage: inner, application, now: clock() });
      const hint = "Use the id of an application that exists";
      throw new RiskGateError("INVALID_ARGUMENT", "the application is unknown", { hint });
    });

  /** Judge what is owed, and announce what came of it, with the payloads of another application. */
  const settle = async (turn: Storage, applicationId?: string): Promise<void> => {
    const judged = await judge.settle(turn);
    const queued = applicationId === undefined ? judged : [applicationId, ...judged];
    for (const id of new Set(queued)) onQueued?.(id);
  };

  /** Take up what others have done and left undone, before anything is added. */
  const begin = async (turn: Storage): Promise<void> => {
    const { pendingScorings, uncounted } = await memory.follow(turn, judge.has);
    judge.keep(pendingScorings);
    for (const { seq, applicationId, events } of uncounted) {
      const stored = await processor.restore(turn, applicationId, events);
      judge.owe({ seq, applicationId, scored: processor.count(stored) });
    }
    await settle(turn);
    if (isBegun) return;
    // Incidents that went quiet while the service was stopped end before anything is added.
    await sweepNow(turn);
    isBegun = true;
  };

  const turns = createWriterQueue(storage, begin);

  /** Store what was reported as one, and then let it count. */
  const accept = async (
    applicationId: string,
    work: (work: IntakeWork) => Promise<{ readonly stored: Stored; readonly report: Report }>,
  ): Promise<Report> =>
    turns.run(async (turn) => {
      const { stored, report } = await inTransaction(turn, applicationId, work);
      const scored = processor.count(stored);
      const { judgement: seq, ledgerSeq } = stored;
      if (ledgerSeq !== undefined) memory.wrote(ledgerSeq);
      if (seq !== undefined) judge.owe({ seq, applicationId, scored });
      await settle(turn, applicationId);
      return report;
    });

  const sweepNow = async (turn: Storage): Promise<void> => {
    const queued = new Set<string>();
    await turn.transaction(async (inner) => {
      for (const { application, payload } of await tracker.sweep(inner, clock())) {
        if (await queuePayloads(inner, application, [payload])) queued.add(application.id);
      }
    });
    for (const id of queued) onQueued?.(id);
  };
  const sweep = (): Promise<void> => turns.run(sweepNow);

  const countSamples = async (
    work: IntakeWork,
    samples: readonly CounterSample[],
  ): Promise<readonly IncidentChange[]> => {
    const changes: IncidentChange[] = [];
    for (const counter of COUNTERS) {
      const contributions = samples.flatMap(({ at, counts }) =>
        counts[counter] === undefined ? [] : [contributionOfCount(at, counts[counter])],
      );
      if (contributions.length === 0) continue;
      const change = await tracker.addCount(work, counter, contributions);
      if (change) changes.push(change);
    }
    return changes;
  };

  const timer =
    sweepEveryMs > 0 ? setInterval(() => void sweep().catch(onError), sweepEveryMs) : undefined;
  timer?.unref();

  return {
    async report(applicationId, values) {
      const now = clock();
      const elements = readElements(values, (value) => readEvent(value, now), namedBy);
      return accept(applicationId, async (work) => {
        const composed = elements.map((one) =>
          "value" in one ? { event: compose(work, one.value) } : one,
        );
        const events = firstById(composed.flatMap((one) => ("event" in one ? one.event : [])));
        const ids = await work.storage.events.insertNew(work.application.id, events);
        const fresh = new Set(ids);
        const stored = await processor.store(
          work,
          events.filter(({ id }) => fresh.has(id)),
        );
        const reported = composed.map((one): ReportedElement => {
          if (!("event" in one)) return { state: "refused", reason: one.reason };
          const { id, kind } = one.event;
          if (!fresh.delete(id)) return { state: "duplicate", id };
          return { state: "accepted", id, ...(!isKnownKind(kind) && { isUnknownKind: true }) };
        });
        return { stored, report: reportOf(reported, stored.events.map(nameOf)) };
      });
    },

    async outcomes(applicationId, values) {
      const now = clock();
      const elements = readElements(values, (value) => readOutcome(value, now));
      return accept(applicationId, async (work) => {
        const facts: EventFacts[] = [];
        const observed: LoginOutcome[] = [];
        const reported = elements.map((one): ReportedElement => {
          if (!("value" in one)) return { state: "refused", reason: one.reason };
          const detected = watch.observe(applicationId, one.value);
          if (!detected) return { state: "duplicate" };
          facts.push(...detected);
          observed.push(one.value);
          return { state: "accepted" };
        });
        const change = await tracker.addCount(
          work,
          "failedLogins",
          observed.map((one) => contributionOfOutcome(one, providerRules)),
        );
        const events = facts.map((one) => compose(work, one));
        await work.storage.events.insertNew(applicationId, events);
        const stored = await processor.store(work, events, change && [change]);
        return { stored, report: reportOf(reported, events.map(nameOf)) };
      });
    },

    async counters(applicationId, values) {
      const now = clock();
      const elements = Array.isArray(values)
        ? readElements(values, (value) => readSample(value, now))
        : [{ value: readSample(values, now) }];
      return accept(applicationId, async (work) => {
        const samples = elements.flatMap((one) => ("value" in one ? [one.value] : []));
        const stored = await processor.store(work, [], await countSamples(work, samples));
        const reported = elements.map((one): ReportedElement =>
          "value" in one ? { state: "accepted" } : { state: "refused", reason: one.reason },
        );
        return { stored, report: reportOf(reported, []) };
      });
    },

    follow: () =>
      turns.between(async () => {
        const revisions = await storage.revisions();
        if (!isBegun || !memory.isCurrent(revisions)) await storage.withWriterLock(begin);
        return revisions;
      }),

    async forget(subject) {
      await turns.between(() => storage.withWriterLock((turn) => memory.forget(turn, subject)));
    },

    sweep,

    async close() {
      clearInterval(timer);
      await turns.idle();
    },
  };
}

/** One event for each id: the first one. */
function firstById(events: readonly IntakeEvent[]): readonly IntakeEvent[] {
  const byId = new Map<string, IntakeEvent>();
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event);
  return [...byId.values()];
}

function nameOf({ id, kind }: IntakeEvent): { id: string; kind: string } {
  return { id, kind };
}

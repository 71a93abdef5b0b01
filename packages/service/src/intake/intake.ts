import { RiskGateError } from "@riskgate/core";
import { type DetectionSettings, DETECTION_DEFAULTS } from "../detection/detection-settings.js";
import type { Report } from "../detection/events/report.js";
import { windowBounds } from "../detection/window-bounds.js";
import { type Clock, systemClock } from "../model/instant.js";
import type { Subject } from "../model/subject.js";
import type { Revisions, Storage } from "../storage/storage.js";
import {
  acceptEvents,
  acceptOutcomes,
  type AcceptParts,
  type AcceptReport,
  acceptSamples,
} from "./accept-report.js";
import { createEventProcessor } from "./event-processor.js";
import type { LedgerMemory } from "./ledger-memory.js";
import { createRecordMemory } from "./record-memory.js";
import { locateIp, type RiskPeek } from "./risk-record.js";
import { createScoreQueue } from "./score-queue.js";
import { sweepIncidents } from "./sweep-incidents.js";
import { createWindowMemory } from "./window-memory.js";
import { createWriterQueue } from "./writer-queue.js";

/** Accepts reports from applications. Every element returned as accepted is on disk. */
export interface Intake {
  /**
   * Accepts at most 1,000 security events; see `readEvent`. An event whose id was already reported is a
   * duplicate.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT for any other value or an unknown application; STORE_FAILED
   */
  report(applicationId: string, events: unknown): Promise<Report>;
  /** Accepts at most 1,000 login outcomes; see `readOutcome`. @throws {RiskGateError} as `report` */
  outcomes(applicationId: string, outcomes: unknown): Promise<Report>;
  /** Accepts one counter sample or an array of at most 1,000; see `readSample`. @throws {RiskGateError} as `report` */
  counters(applicationId: string, samples: unknown): Promise<Report>;
  /**
   * Loads the changes of other processes, and finishes their pending work. Every report does so before
   * it adds anything. If there are other processes, call this regularly as well.
   */
  follow(): Promise<Revisions>;
  /** Erases an account or address from memory; call this after `storage.erase`. */
  forget(subject: Subject): Promise<void>;
  /** Ends quiet incidents. Runs automatically every `sweepEveryMs`. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface IntakeOptions {
  readonly storage: Storage;
  readonly ledger: LedgerMemory;
  /** How long an event counts in the ledger; default 365 days. */
  readonly retentionMs?: number;
  /** Returns the engine that calculates the scores of an application from the ledger. */
  readonly peekOf: (applicationId: string) => RiskPeek;
  /** Engine that knows the locations of addresses. */
  readonly peek: Pick<RiskPeek, "peekIp">;
  /** Returns the base of the dashboard URLs, without a trailing slash; called for each payload. */
  readonly dashboardUrl: () => string;
  /** Detection settings; default {@link DETECTION_DEFAULTS}. */
  readonly rules?: DetectionSettings;
  readonly clock?: Clock;
  readonly nowMs?: () => number;
  /** Interval of `sweep`; default 30,000, 0 for never. */
  readonly sweepEveryMs?: number;
  /** Called when an application's payloads are waiting in the outbox. */
  readonly onQueued?: (applicationId: string) => void;
  readonly onError: (error: unknown) => void;
}

const DEFAULTS = {
  retentionMs: 365 * 24 * 3_600_000,
  rules: DETECTION_DEFAULTS,
  clock: systemClock,
  nowMs: () => performance.now(),
  sweepEveryMs: 30_000,
  onQueued: (_applicationId: string): void => {},
} satisfies Partial<IntakeOptions>;

export function createIntake(options: IntakeOptions): Intake {
  const given = { ...DEFAULTS, ...options };
  const { storage, ledger, peek, peekOf, dashboardUrl, rules: settings, clock, onError } = given;
  const bounds = windowBounds(settings);
  const memory = createRecordMemory({
    ledger,
    windows: createWindowMemory(bounds, given.nowMs),
    bounds,
    context: () => ({ dashboardUrl: dashboardUrl(), providerRules: settings.providerRules }),
    retentionMs: given.retentionMs,
    clock,
  });
  const processor = createEventProcessor({ ledger, peekOf, settings, dashboardUrl });
  const scoring = createScoreQueue({ memory, processor, clock, onError });
  const locate: AcceptParts["locate"] = (ip) => locateIp(peek, ip);
  const parts: AcceptParts = { processor, settings, dashboardUrl, locate };
  let isBegun = false;

  const publish = (applicationIds: Iterable<string>): void => {
    for (const id of new Set(applicationIds)) given.onQueued(id);
  };
  const sweepNow = async (locked: Storage): Promise<void> =>
    publish(await sweepIncidents(locked, { now: clock(), settings, dashboardUrl: dashboardUrl() }));

  /** Loads the changes of other processes, and finishes their pending work. */
  const begin = async (locked: Storage): Promise<void> => {
    const { pendingScorings, uncounted } = await memory.follow(locked, scoring.has);
    scoring.retain(pendingScorings);
    for (const { seq, applicationId, events } of uncounted) {
      const stored = await processor.restore(locked, applicationId, events);
      scoring.add({ seq, applicationId, scored: processor.score(stored) });
    }
    publish(await scoring.run(locked));
    if (isBegun) return;
    // Ends incidents that went quiet while the service was stopped, before anything is added.
    await sweepNow(locked);
    isBegun = true;
  };
  const writers = createWriterQueue(storage, begin);

  /** Stores a report in one transaction, and then makes it count. */
  const accept = (applicationId: string, acceptReport: AcceptReport): Promise<Report> =>
    writers.run(async (locked) => {
      const { stored, report } = await memory.transaction(locked, async (inner, windows) => {
        const application = await inner.applications.get(applicationId);
        if (!application) throw unknownApplication();
        return acceptReport({ storage: inner, application, now: clock(), windows });
      });
      const scored = processor.score(stored);
      const { scoringSeq: seq, ledgerSeq } = stored;
      if (ledgerSeq !== undefined) memory.wrote(ledgerSeq);
      if (seq !== undefined) scoring.add({ seq, applicationId, scored });
      publish([applicationId, ...(await scoring.run(locked))]);
      return report;
    });

  const sweep = (): Promise<void> => writers.run(sweepNow);
  const stopSweeping = every(given.sweepEveryMs, () => void sweep().catch(onError));

  return {
    report: async (id, values) => accept(id, acceptEvents(values, clock(), parts)),
    outcomes: async (id, values) => accept(id, acceptOutcomes(values, clock(), parts)),
    counters: async (id, values) => accept(id, acceptSamples(values, clock(), parts)),
    follow: () =>
      writers.between(async () => {
        const revisions = await storage.revisions();
        if (!isBegun || !memory.isCurrent(revisions)) await storage.withWriterLock(begin);
        return revisions;
      }),
    forget: (subject) =>
      writers.between(() => storage.withWriterLock((locked) => memory.forget(locked, subject))),
    sweep,
    async close() {
      stopSweeping();
      await writers.idle();
    },
  };
}

/** Calls `work` at intervals, or never for 0, until the returned function is called. */
function every(ms: number, work: () => void): () => void {
  const timer = ms > 0 ? setInterval(work, ms).unref() : undefined;
  return () => clearInterval(timer);
}

function unknownApplication(): RiskGateError {
  const hint = "Use the id of an existing application";
  return new RiskGateError("INVALID_ARGUMENT", "the application is unknown", { hint });
}

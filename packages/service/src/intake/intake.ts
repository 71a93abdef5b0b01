import { RiskGateError } from "@riskgate/core";
import { type DetectionSettings, DETECTION_DEFAULTS } from "../detection/detection-settings.js";
import type { Report } from "../detection/events/report.js";
import { windowBounds } from "../detection/window-bounds.js";
import type { Application } from "../model/application.js";
import type { Reporter, ReportOptions } from "../model/reporter.js";
import type { Clock } from "../model/instant.js";
import type { Subject } from "../model/subject.js";
import type { Ownership } from "../ownership/ownership.js";
import { repeat } from "../base/repeat.js";
import type { Storage } from "../storage/storage.js";
import { createAppendQueue } from "./append-queue.js";
import { createClockCheck } from "./clock-check.js";
import type { LagWatch } from "./lag-watch.js";
import type { BatchParts } from "./batches.js";
import { createDetector } from "./detector.js";
import type { RiskPeek, Scratch } from "../model/scratch.js";
import { readEvents, readOutcomes, type ReadReport, readSamples } from "./read-report.js";
import { locateIp } from "./risk-record.js";
import { stepSizes } from "./step-sizes.js";

/**
 * Accepts reports from applications. Every element returned as accepted is on disk; incidents and
 * responses follow.
 */
export interface Intake {
  /**
   * Accepts at most 1,000 security events; see `readEvent`. An event whose id was already reported is a
   * duplicate.
   *
   * @throws {RiskGateError} INVALID_ARGUMENT for any other value or an unknown application; STORE_FAILED
   */
  report(application: Reporter, events: unknown, options?: ReportOptions): Promise<Report>;
  /**
   * Accepts at most 1,000 login outcomes; see `readOutcome`. The security events that they led to are
   * in the response only if the caller waits.
   *
   * @throws {RiskGateError} as `report`
   */
  outcomes(application: Reporter, outcomes: unknown, options?: ReportOptions): Promise<Report>;
  /** Accepts one counter sample or an array of at most 1,000; see `readSample`. @throws {RiskGateError} as `report` */
  counters(application: Reporter, samples: unknown, options?: ReportOptions): Promise<Report>;
  /** Returns true while dated reports are refused because the clock was set back. */
  isClockBehind(): boolean;
  /** Ends quiet incidents, in steps if there are many. Runs automatically every `sweepEveryMs`. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

export interface IntakeOptions {
  readonly storage: Storage;
  readonly ownership: Pick<Ownership, "holds" | "partitions" | "onRelease" | "onTaken">;
  /** Refuses reports of applications with which detection is behind; default none. */
  readonly lagWatch?: Pick<LagWatch, "refuse">;
  /** Returns a ledger for the scores of some accounts of an application. */
  readonly scratchOf: (applicationId: string) => Scratch;
  /** Engine that knows the locations of addresses. */
  readonly peek: Pick<RiskPeek, "peekIp">;
  /** Returns the base of the dashboard URLs, without a trailing slash; called for each payload. */
  readonly dashboardUrl: () => string;
  /** Returns true if no response may block a target, because an operator allows it. */
  readonly isAllowed?: BatchParts["isAllowed"];
  /** Detection settings; default {@link DETECTION_DEFAULTS}. */
  readonly rules?: DetectionSettings;
  readonly clock?: Clock;
  readonly nowMs?: () => number;
  /** Interval of `sweep`; default 30,000, 0 for never. */
  readonly sweepEveryMs?: number;
  /** Interval at which entries of other processes are looked for; default 0 for never. */
  readonly pollEveryMs?: number;
  /** Called when an application's payloads are waiting for delivery. */
  readonly onQueued?: (applicationId: string) => void;
  /** Called when the ledger has new entries about subjects. */
  readonly onRecorded?: (subjects: readonly Subject[]) => void;
  readonly onError: (error: unknown) => void;
}

const DEFAULTS = {
  rules: DETECTION_DEFAULTS,
  nowMs: () => performance.now(),
  sweepEveryMs: 30_000,
  pollEveryMs: 0,
  onQueued: (_applicationId: string): void => {},
  onRecorded: (_subjects: readonly Subject[]): void => {},
} satisfies Partial<IntakeOptions>;

export function createIntake(options: IntakeOptions): Intake {
  const given = { ...DEFAULTS, clock: options.storage.clock, ...options };
  const { storage, ownership, dashboardUrl, rules: settings, clock, onQueued, onError } = given;
  const locate = (ip: string) => locateIp(given.peek, ip);
  const sizes = stepSizes(storage.partitions);
  const detector = createDetector({
    ...given,
    sizes,
    settings,
    bounds: windowBounds(settings),
    locate,
    onDerived: onQueued,
  });
  const append = createAppendQueue(storage.log, sizes);
  const clockCheck = createClockCheck(clock, () => storage.lastInstant(), onError);
  ownership.onRelease(() => detector.release());
  ownership.onTaken(() => polling.now());
  const polling = repeat(given.pollEveryMs, () => detector.poll(), onError);
  const sweeping = repeat(given.sweepEveryMs, () => detector.sweep(), onError);

  const accept = async (
    reporter: Reporter,
    read: (application: Application) => ReadReport,
    { waitMs = 0, onStored = () => {} }: ReportOptions = {},
  ): Promise<Report> => {
    const application =
      typeof reporter === "string" ? await storage.applications.get(reporter) : reporter;
    if (!application) throw unknownApplication();
    const { id: applicationId } = application;
    given.lagWatch?.refuse(applicationId);
    const report = read(application);
    const seqs = report.entries.length > 0 ? await append(applicationId, report.entries) : [];
    if (!seqs) throw unknownApplication();
    onStored();
    const stored = seqs.filter((seq) => seq !== undefined);
    if (stored.length > 0) {
      if (ownership.holds(applicationId)) {
        detector.recent.add(applicationId, seqs, report.events ?? []);
        detector.wake(applicationId);
      }
      onQueued(applicationId);
    }
    const response = report.respond(seqs);
    await clockCheck.observe(response, report.entries);
    if (waitMs === 0 || stored.length === 0) return response;
    try {
      await detector.reached(applicationId, Math.max(...stored), waitMs);
      const derived = await storage.log.derivedFrom(applicationId, stored);
      const events = derived.map(({ eventId, kind }) => ({ id: eventId!, kind }));
      return { ...response, events: [...response.events, ...events] };
    } catch {
      // The report is stored, so its sender must not repeat it.
      return response;
    }
  };

  return {
    report: async (id, values, how) =>
      accept(
        id,
        (application) => {
          const { providerRules } = settings;
          const context = { application, dashboardUrl: dashboardUrl(), providerRules, locate };
          return readEvents(values, clock(), context);
        },
        how,
      ),
    outcomes: async (id, values, how) => accept(id, () => readOutcomes(values, clock()), how),
    counters: async (id, values, how) => accept(id, () => readSamples(values, clock()), how),
    isClockBehind: () => clockCheck.isBehind(),
    sweep: () => detector.sweep(),
    async close() {
      await Promise.all([polling.stop(), sweeping.stop()]);
      await detector.close();
    },
  };
}

function unknownApplication(): RiskGateError {
  const hint = "Use the id of an existing application";
  return new RiskGateError("INVALID_ARGUMENT", "the application is unknown", { hint });
}

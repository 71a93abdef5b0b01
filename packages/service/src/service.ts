import { RiskGateError } from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import { createEngine, createFeedUpdater, createMemoryLedger } from "@riskgate/engine";
import { createDispatcher, type Dispatcher } from "./dispatch/dispatcher.js";
import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import { type Api, createApi } from "./http/api.js";
import type { AdminParts } from "./http/admin/admin-parts.js";
import { createMetrics, type Metrics, type ReportKind } from "./http/metrics.js";
import type { Report } from "./events/report.js";
import { createIntake, type Intake } from "./intake/intake.js";
import { loadLedger } from "./intake/load-ledger.js";
import { readOwedEvents } from "./intake/owed-events.js";
import { repeat } from "./repeat.js";
import { logNotice, logRequest } from "./service-log.js";
import { readServiceOptions, type ServiceOptions } from "./service-options.js";
import { type Instant, instantOf, systemClock } from "./storage/instant.js";
import { openPostgresStorage, openStorage } from "./storage/open-storage.js";
import type { Storage } from "./storage/storage.js";

/** A risk service: lookup API, administration API, event intake and deliveries. */
export interface Service {
  /**
   * Port 0 takes a free one.
   *
   * @throws {RiskGateError} CONFIG_INVALID when the port or address cannot be had.
   */
  listen(address: {
    readonly port: number;
    readonly host: string;
  }): Promise<{ readonly url: string }>;
  /** Answer what has arrived, finish or keep the rest, and let go of the data directory. */
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How often is erased what has ended since it was to be erased. */
const SETTLE_MS = 30_000;

/**
 * Open the data directory and put the service together. It sends at once what waits from last time,
 * and answers once it listens.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a wrong option, a directory that another process holds,
 * and a database that is damaged or from the future; STORE_FAILED when it cannot be read or written.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const settings = readOptions("createService", options, readServiceOptions);
  const { feedUpdates, retentionDays, delivery, dashboardUrl, rules, logger } = settings;
  const onError = (error: unknown): void => {
    logger?.error({ err: error }, "error");
    settings.onError(error);
  };
  // Before the directory is touched: its options are checked here.
  const ledger = createMemoryLedger(settings.ledger);
  const storage =
    settings.database === undefined
      ? await openStorage(settings.dataDir!)
      : await openPostgresStorage(settings.database, {
          onTakenOver(error) {
            onError(error);
            settings.onTakenOver?.(error);
          },
        });
  // What was opened is closed again when a later part cannot be made, the youngest first.
  const closers: (() => Promise<void>)[] = [() => storage.close()];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    const { retentionMs = 365 * DAY_MS } = settings.ledger;
    const { providerRules } = rules;
    const owed = await readOwedEvents(storage, { dashboardUrl, providerRules }, systemClock);
    await loadLedger(storage.ledger, ledger, ago(retentionMs), owed);

    const updater = feedUpdates && createFeedUpdater(feedUpdates.updater);
    const engine = await createEngine({
      ...settings.engine,
      feeds: [...(settings.engine.feeds ?? []), ...(updater?.feeds ?? [])],
      ledger,
    });
    closers.push(() => engine.close());

    const metrics = createMetrics();
    const onNotice = (notice: DispatchNotice): void => {
      if (notice.type === "attempt") {
        const { applicationId, state } = notice;
        metrics.attempt(applicationId, state === "pending" ? "retry" : state);
      }
      if (logger) logNotice(logger, notice);
      settings.onNotice?.(notice);
    };
    let api: Api | undefined;
    const listeners: Api["listeners"] = () => api?.listeners() ?? [];
    const dispatcher =
      delivery && createDispatcher({ storage, settings: delivery, listeners, onNotice });
    if (dispatcher) closers.push(() => dispatcher.close());

    const intake = createIntake({
      storage,
      ledger,
      peek: engine,
      dashboardUrl,
      rules,
      owed,
      onQueued: () => dispatcher?.wake(),
      onError,
    });
    closers.push(() => intake.close());

    const updates = repeat(
      feedUpdates?.everyMs ?? 0,
      async (signal) => {
        const outcomes = await updater!.update({ signal });
        if (outcomes.some(({ state }) => state === "updated")) await engine.reload();
      },
      onError,
    );
    const prune = async (): Promise<void> => {
      const before = ago(retentionDays * DAY_MS);
      await storage.prune({
        ledgerBefore: ago(retentionMs),
        eventsBefore: before,
        incidentsBefore: before,
        deliveriesBefore: before,
      });
    };
    const pruning = repeat(HOUR_MS, prune, onError);
    const settling = repeat(SETTLE_MS, async () => void (await storage.settleErasures()), onError);
    closers.push(async () => {
      await Promise.all([updates.stop(), pruning.stop(), settling.stop()]);
    });

    api = createApi(
      {
        storage,
        lookup: engine,
        metrics,
        inMemory: () => ({ ledger: ledger.size(), feeds: engine.feeds() }),
        intake: countReports(intake, metrics),
        dispatcher: dispatcher ?? withoutDispatcher(storage),
        feeds: { list: () => engine.feeds(), reload: () => engine.reload() },
        onErased(subject) {
          const { type, subject: name } = subject;
          ledger.erase(type === "account" ? { email: name } : { ip: name });
          void intake.forget(subject).catch(onError);
        },
      },
      { ...settings.api, ...(logger && { onRequest: (request) => logRequest(logger, request) }) },
    );
    const opened = api;
    closers.push(() => opened.close());
    return { listen: (address) => opened.listen(address), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function ago(ms: number): Instant {
  return systemClock() - instantOf(ms);
}

/** The intake as the API sees it: what it reports is counted. */
function countReports(intake: Intake, metrics: Metrics): AdminParts["intake"] {
  const counted =
    (
      kind: ReportKind,
      take: (id: string, value: unknown) => Promise<Report>,
    ): ((id: string, value: unknown) => Promise<Report>) =>
    async (id, value) => {
      const report = await take(id, value);
      metrics.report(id, kind, report);
      return report;
    };
  return {
    report: counted("event", (id, events) => intake.report(id, events)),
    outcomes: counted("login", (id, outcomes) => intake.outcomes(id, outcomes)),
    counters: counted("counter", (id, sample) => intake.counters(id, sample)),
  };
}

/** Used where deliveries are off: payloads wait in the storage for a service that sends. */
function withoutDispatcher(storage: Storage): Pick<Dispatcher, "wake" | "retry" | "sendTest"> {
  return {
    wake() {},
    retry: (id) => storage.deliveries.retry(id),
    async sendTest() {
      throw new RiskGateError("CONFIG_INVALID", "this service sends no deliveries", {
        hint: "Start it without `dispatch: false`",
      });
    },
  };
}

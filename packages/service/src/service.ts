import { isRiskGateError, RiskGateError } from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import { createEngine, createFeedUpdater, type Engine } from "@riskgate/engine";
import { createSystemResolve } from "@riskgate/core/address";
import { createDestinationCheck } from "./dispatch/destination-check.js";
import { createDispatcher, type Dispatcher } from "./dispatch/dispatcher.js";
import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import { type Api, createApi } from "./http/api.js";
import { createFeedRefresher } from "./feed-refresher.js";
import { countReports } from "./http/count-reports.js";
import { createMetrics } from "./http/metrics.js";
import { createDryRun } from "./intake/dry-run.js";
import { createHistory } from "./intake/history.js";
import { createIntake } from "./intake/intake.js";
import { createLedgerMemory } from "./intake/ledger-memory.js";
import { createRecallingLookup } from "./lookups/recalling-lookup.js";
import { createRecentScores } from "./rehearsal/recent-scores.js";
import { createRuledEngine } from "./lookups/ruled-engine.js";
import { createRulesDryRun } from "./lookups/operator-rule-dry-run.js";
import { loadServiceRules } from "./lookups/service-rules.js";
import { repeat } from "./repeat.js";
import { logNotice, logRequest } from "./service-log.js";
import { readServiceOptions, type ServiceOptions } from "./service-options.js";
import { type Instant, instantOf, systemClock } from "./model/instant.js";
import { openPostgresStorage, openStorage } from "./storage/open-storage.js";
import type { Storage } from "./storage/storage.js";

/** A risk service: lookup API, administration API, event intake and deliveries. */
export interface Service {
  /**
   * Port 0 takes a free one.
   *
   * @throws {RiskGateError} CONFIG_INVALID when the port or address cannot be had.
   */
  listen(address: { readonly port: number; readonly host: string }): Promise<ListeningService>;
  /**
   * The valid signing secrets of an application, newest first: the last one signs. For the program that
   * runs the service; no request is answered with them.
   */
  signingSecrets(applicationId: string): Promise<readonly string[]>;
  /** Answer what has arrived, finish or keep the rest, and let go of the data directory. */
  close(): Promise<void>;
}

/** Where a service is reached. */
interface ListeningService {
  readonly url: string;
  /** The console, as it is reached from this machine; absent where there is none. */
  readonly consoleUrl?: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A signal that ends nothing. */
const NEVER = new AbortController().signal;

/** How often a process looks what others on its database have done of which PostgreSQL tells nobody. */
const FOLLOW_MS = 1_000;
/** Start of the dashboard URLs where there is no console and none was given. */
const NO_DASHBOARD = "http://localhost";

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
  const { feedUpdates, retentionDays, delivery, rules, logger } = settings;
  let consoleUrl: string | undefined;
  const dashboardUrl = (): string => settings.dashboardUrl ?? consoleUrl ?? NO_DASHBOARD;
  const onError = (error: unknown): void => {
    logger?.error({ err: error }, "error");
    settings.onError(error);
  };
  // Before the directory is touched: its options are checked here.
  const ledger = createLedgerMemory(settings.ledger);
  let onChanged = (): void => {};
  const storage =
    settings.database === undefined
      ? await openStorage(settings.dataDir!)
      : await openPostgresStorage(settings.database, { onChanged: () => onChanged() });
  // What was opened is closed again when a later part cannot be made, the youngest first.
  const closers: (() => Promise<void>)[] = [() => storage.close()];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    const { retentionMs = 365 * DAY_MS } = settings.ledger;
    const { providerRules } = rules;
    const { allow, weights } = settings.engine;
    const updater = feedUpdates && createFeedUpdater(feedUpdates.updater);
    const engine = await createEngine({
      ...settings.engine,
      feeds: [...(settings.engine.feeds ?? []), ...(updater?.feeds ?? [])],
      ledger,
    });
    closers.push(() => engine.close());

    const operatorRules = await loadServiceRules(storage.operatorRules, onError);
    const ruled = createRuledEngine(engine, operatorRules);

    const metrics = createMetrics();
    const scores = createRecentScores();
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
      peek: settings.engine.mx ? withoutWaiting(engine) : engine,
      retentionMs,
      dashboardUrl,
      rules,
      onQueued: () => dispatcher?.wake(),
      onError,
    });
    closers.push(() => intake.close());
    let known = await intake.follow();

    const refresher = createFeedRefresher(engine, updater, storage);
    const everyMs = feedUpdates?.everyMs ?? 0;
    const updates = repeat(
      everyMs,
      async (signal) => void (await refresher.refresh(everyMs / 2, signal)),
      onError,
    );
    const prune = async (): Promise<void> => {
      const before = ago(retentionDays * DAY_MS);
      await storage.prune({
        ledgerBefore: ago(retentionMs),
        eventsBefore: before,
        incidentsBefore: before,
        deliveriesBefore: before,
        decisionsBefore: before,
      });
      scores.sweep();
    };
    const pruning = repeat(
      HOUR_MS,
      (signal) => storage.withTaskLock("pruning", prune, signal),
      onError,
    );
    const settling = repeat(SETTLE_MS, async () => void (await storage.erasePending()), onError);
    closers.push(async () => {
      await Promise.all([updates.stop(), pruning.stop(), settling.stop()]);
    });

    api = createApi(
      {
        storage,
        lookup: createRecallingLookup({ lookup: ruled, ledger, store: storage.ledger }),
        metrics,
        inMemory: () => ({ ledger: ledger.size(), feeds: engine.feeds() }),
        intake: countReports(intake, storage, metrics),
        dispatcher: dispatcher ?? withoutDispatcher(storage),
        blockedDestination: createDestinationCheck(
          delivery?.resolve ?? createSystemResolve(),
          listeners,
        ),
        scores,
        rules: operatorRules,
        rulesDryRun: createRulesDryRun({
          storage,
          engine,
          rules: operatorRules,
          clock: systemClock,
        }),
        explain: ruled,
        feeds: {
          list: () => engine.feeds(),
          reload: () => engine.reload(),
          update: async () => (await refresher.refresh(0, NEVER)) ?? [],
        },
        history: createHistory({ storage, providerRules, clock: systemClock }),
        dryRun: createDryRun({
          storage,
          rules,
          ledger: settings.ledger,
          engine: { ...(allow && { allow }), ...(weights && { weights }) },
          clock: systemClock,
        }),
        onErased(subject) {
          ledger.forget(subject);
          scores.forget();
          void intake.forget(subject).catch(onError);
        },
      },
      { ...settings.api, ...(logger && { onRequest: (request) => logRequest(logger, request) }) },
    );
    const opened = api;
    closers.push(() => opened.close());
    const follow = async (): Promise<void> => {
      const now = await intake.follow();
      if (now.erasures !== known.erasures) scores.forget();
      if (now.settings !== known.settings) {
        storage.outdate();
        await opened.refreshKeys();
        await operatorRules.follow();
      }
      if (now.feeds !== known.feeds) await engine.reload();
      known = now;
      // Payloads may wait that another process has queued, or left.
      dispatcher?.wake();
    };
    const isShared = settings.database !== undefined;
    const following = repeat(isShared ? FOLLOW_MS : 0, follow, (error) => {
      // Without its database a service says so wherever it is asked, and not once a second.
      if (!isRiskGateError(error) || error.code !== "STORE_FAILED") onError(error);
    });
    onChanged = () => following.now();
    closers.push(() => following.stop());
    return {
      async listen(address) {
        const { url } = await opened.listen(address);
        if (!opened.hasConsole) return { url };
        consoleUrl = `${reachedLocally(url)}/console`;
        return { url, consoleUrl: `${consoleUrl}/` };
      },
      async signingSecrets(applicationId) {
        const secrets = await storage.applications.secretsOf(applicationId);
        return secrets.map(({ value }) => value);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Where a service that listens on every address is reached from this machine. */
function reachedLocally(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

function ago(ms: number): Instant {
  return systemClock() - instantOf(ms);
}

/** The engine for a caller that cannot wait for DNS: what is not in memory counts as unknown. */
function withoutWaiting(engine: Engine): Pick<Engine, "peekIp" | "peekEmail"> {
  return {
    peekIp: (ip) => engine.peekIp(ip),
    peekEmail(email) {
      try {
        const { assessment } = engine.explainEmail(email);
        return { state: "scored", assessment, source: "live" };
      } catch {
        // As a peek does: such an account has no score.
        return undefined;
      }
    },
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

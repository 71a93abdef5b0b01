import { RiskGateError } from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import { createSystemResolve } from "@riskgate/core/address";
import { createChanges, type Changes } from "./changes.js";
import { createDestinationCheck } from "./dispatch/destination-check.js";
import type { DispatchNotice } from "./dispatch/dispatch-notice.js";
import { createDispatcher, type Dispatcher } from "./dispatch/dispatcher.js";
import { createFollower } from "./follower.js";
import { type Api, type ApiParts, createApi } from "./http/api.js";
import { countReports } from "./http/count-reports.js";
import { createMetrics, type Metrics } from "./http/metrics.js";
import { createServiceAddresses, type ServiceAddresses } from "./http/service-addresses.js";
import { createDryRun } from "./intake/dry-run.js";
import { createHistory } from "./intake/history.js";
import { createLagWatch, type LagWatch } from "./intake/lag-watch.js";
import { createIntake, type Intake } from "./intake/intake.js";
import { createOperatorRuleDryRun } from "./lookups/operator-rule-dry-run.js";
import { openLookups, type ServiceLookups } from "./lookups/open-lookups.js";
import { createMaintenance } from "./maintenance.js";
import { type AllowList, createAllowList } from "./operator/allow-list.js";
import { createBlockSource } from "./operator/block-source.js";
import { createOwnership } from "./ownership/ownership.js";
import { createPartList, type PartList } from "./base/part-list.js";
import { createRecentScores, type RecentScores } from "./rehearsal/recent-scores.js";
import { logNotice, logRequest } from "./service-log.js";
import {
  readServiceOptions,
  type ServiceOptions,
  type ServiceSettings,
} from "./service-options.js";
import { openPostgresStorage, openStorage } from "./storage/open-storage.js";
import type { Storage } from "./storage/storage.js";

/** A risk service: lookup API, administration API, event intake and deliveries. */
export interface Service {
  /**
   * Listens on an address; port 0 selects a free port.
   *
   * @throws {RiskGateError} CONFIG_INVALID if the port or address is not available.
   */
  readonly listen: Api["listen"];
  /**
   * Returns the valid signing secrets of an application, newest first: the last one signs. For the
   * program that runs the service; no HTTP response contains them.
   */
  signingSecrets(applicationId: string): Promise<readonly string[]>;
  /** Finishes open requests, finishes or stores pending work, and releases the data directory. */
  close(): Promise<void>;
}

/** Interval at which a process checks for changes without a PostgreSQL notification. */
const FOLLOW_MS = 1_000;

/** Interval at which a process looks for entries that other processes appended. */
const POLL_MS = 100;

const DAY_MS = 24 * 3_600_000;

const NEVER = new AbortController().signal;

/**
 * Opens the data directory or database and starts the service. Pending deliveries are sent
 * immediately; `listen` starts the HTTP API.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option, a directory in use by another process,
 * and a database that is damaged or from a newer version; STORE_FAILED if the database cannot be read
 * or written.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const settings = readOptions("createService", options, readServiceOptions);
  const parts = createPartList();
  try {
    const service = await openParts(settings, parts);
    await parts.start();
    return service;
  } catch (error) {
    await parts.close();
    throw error;
  }
}

async function openParts(settings: ServiceSettings, parts: PartList): Promise<Service> {
  const { feedUpdates, delivery, rules, logger } = settings;
  const { retentionMs = 365 * DAY_MS } = settings.ledger;
  const onError = (error: unknown): void => {
    logger?.error({ err: error }, "error");
    settings.onError(error);
  };
  const changes = createChanges();
  const addresses = createServiceAddresses(settings.dashboardUrl);
  const storage = parts.add(await openStorageOf(settings, changes));
  const lookups = parts.add(
    await openLookups({
      options: settings.engine,
      feedUpdates: feedUpdates?.updater,
      ledger: settings.ledger,
      storage,
      onError,
    }),
  );
  const { partitions } = storage;
  const nowMs = (): number => performance.now();
  const ownership = parts.add(createOwnership({ partitions, nowMs, onError }));
  const metrics = createMetrics();
  const scores = createRecentScores();
  const { listeners, dashboardUrl } = addresses;
  const onNotice = noticeObserver(settings, metrics);
  const dispatcher = delivery
    ? parts.add(createDispatcher({ storage, ownership, settings: delivery, listeners, onNotice }))
    : withoutDispatcher(storage);
  const allowList = createAllowList(lookups.rules, settings.engine.allow?.ips ?? []);
  const lagWatch = parts.add(
    createLagWatch({ log: storage.log, maxLagMs: rules.maxLagMs, nowMs, onError }),
  );
  const intake = parts.add(
    createIntake({
      storage,
      ownership,
      lagWatch,
      peek: lookups.engine,
      scratchOf: (applicationId) => lookups.scratchOf(applicationId),
      dashboardUrl,
      rules,
      isAllowed: allowList.covers,
      pollEveryMs: settings.database === undefined ? 0 : POLL_MS,
      onRecorded: (subjects) => lookups.reads.forget(subjects),
      onQueued: () => dispatcher.wake(),
      onError,
    }),
  );
  parts.add(
    createMaintenance({
      storage,
      scores,
      refresher: lookups.refresher,
      refreshEveryMs: feedUpdates?.everyMs ?? 0,
      retentionMs: settings.retentionDays * DAY_MS,
      ledgerRetentionMs: retentionMs,
      onError,
    }),
  );
  const shared = { storage, lookups, metrics, scores, dispatcher, intake, lagWatch, addresses };
  const opened = { ...shared, allowList };
  const api = parts.add(openApi(settings, { ...opened, onNotice }));
  const everyMs = settings.database === undefined ? 0 : FOLLOW_MS;
  parts.add(createFollower({ changes, storage, lookups, scores, api, everyMs, onError }));
  return {
    listen: api.listen,
    async signingSecrets(applicationId) {
      const secrets = await storage.applications.secretsOf(applicationId);
      return secrets.map(({ value }) => value);
    },
    close: () => parts.close(),
  };
}

function openStorageOf(settings: ServiceSettings, { publish }: Changes): Promise<Storage> {
  const { dataDir, database } = settings;
  if (database === undefined) return openStorage(dataDir!);
  return openPostgresStorage(database, { onChanged: publish });
}

function noticeObserver(
  { logger, onNotice }: ServiceSettings,
  metrics: Metrics,
): (notice: DispatchNotice) => void {
  return (notice) => {
    if (notice.type === "attempt") {
      const { applicationId, state } = notice;
      metrics.attempt(applicationId, state === "pending" ? "retry" : state);
    }
    if (logger) logNotice(logger, notice);
    onNotice?.(notice);
  };
}

interface OpenedParts {
  readonly storage: Storage;
  readonly lookups: ServiceLookups;
  readonly metrics: Metrics;
  readonly scores: RecentScores;
  readonly dispatcher: ApiParts["dispatcher"];
  readonly intake: Intake;
  readonly lagWatch: LagWatch;
  readonly addresses: ServiceAddresses;
  readonly allowList: AllowList;
  readonly onNotice: ApiParts["onNotice"];
}

function openApi(settings: ServiceSettings, opened: OpenedParts): Api {
  const { storage, lookups, metrics, scores, dispatcher, intake, addresses } = opened;
  const { delivery, rules, logger } = settings;
  const { allow, forwarding = "allow", weights } = settings.engine;
  const { engine, refresher } = lookups;
  const resolve = delivery?.resolve ?? createSystemResolve();
  const parts: ApiParts = {
    storage,
    addresses,
    lookupOf: (applicationId) => lookups.of(applicationId),
    blockSource: createBlockSource(storage, storage.clock, opened.allowList),
    metrics,
    feedsInUse: () => engine.feeds(),
    lagWatch: opened.lagWatch,
    intake: countReports(intake, storage, metrics),
    isClockBehind: () => intake.isClockBehind(),
    dispatcher,
    onNotice: opened.onNotice,
    blockedDestination: createDestinationCheck(resolve, addresses.listeners),
    scores,
    rules: lookups.rules,
    isAllowed: opened.allowList.covers,
    rulesDryRun: createOperatorRuleDryRun({
      storage,
      plain: (applicationId) => lookups.plain(applicationId),
      rules: lookups.rules,
      clock: storage.clock,
    }),
    explainOf: (id) => lookups.of(id),
    feeds: {
      list: () => engine.feeds(),
      reload: () => engine.reload(),
      update: async () => (await refresher.refresh(0, NEVER)) ?? [],
    },
    detection: rules,
    history: createHistory({ storage, providerRules: rules.providerRules, clock: storage.clock }),
    dryRun: createDryRun({
      storage,
      rules,
      ledger: settings.ledger,
      engine: { forwarding, ...(allow && { allow }), ...(weights && { weights }) },
      clock: storage.clock,
    }),
    onSharingChanged: () => lookups.reads.forget(),
    onErased() {
      scores.forget();
      lookups.reads.forget();
    },
  };
  const onRequest = logger && { onRequest: logRequest.bind(undefined, logger) };
  return createApi(parts, { ...settings.api, ...onRequest });
}

/**
 * Replaces the dispatcher if deliveries are off: payloads wait in the storage until another service
 * sends them.
 */
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

import type { LookupAddress } from "node:dns";
import { createEngine, createMemoryLedger } from "@riskgate/engine";
import type { RiskLookup } from "@riskgate/core";
import { readOptions } from "@riskgate/core/adapter";
import { rawRequest, type RawAnswer, type RawRequest } from "@riskgate/testing";
import { onTestFinished } from "vitest";
import { createDestinationCheck } from "../../src/dispatch/destination-check.js";
import type { AdminParts } from "../../src/http/admin/admin-parts.js";
import { type Api, type ApiOptions, createApi } from "../../src/http/api.js";
import { readApiSettings } from "../../src/http/api-settings.js";
import { createDryRun } from "../../src/intake/dry-run.js";
import { createHistory } from "../../src/intake/history.js";
import { DETECTION_DEFAULTS } from "../../src/detection/detection-settings.js";
import type { Report } from "../../src/detection/events/report.js";
import { createServiceAddresses } from "../../src/http/service-addresses.js";
import { createMetrics } from "../../src/http/metrics.js";
import { createRecentScores } from "../../src/rehearsal/recent-scores.js";
import { createAllowList } from "../../src/operator/allow-list.js";
import { createBlockSource } from "../../src/operator/block-source.js";
import { createOperatorRuleDryRun } from "../../src/lookups/operator-rule-dry-run.js";
import { createEngineWithRules } from "../../src/lookups/engine-with-rules.js";
import { loadServiceRules } from "../../src/lookups/operator-rule-set.js";
import type { Application, ApplicationSettings } from "../../src/model/application.js";
import type { Subject } from "../../src/model/subject.js";
import type { Storage } from "../../src/storage/storage.js";
import { type SetClock, temporaryStorage } from "./temporary-storage.js";

/** Feeds of the engine. */
const FEEDS = [
  { kind: "tor", entries: ["185.220.101.1"] },
  { kind: "datacenter", entries: ["20.0.0.0/8", "2a00::/16"] },
  { kind: "disposable", entries: ["mailinator.test"] },
] as const;

export const ADMIN_TOKEN = "admin-token-of-the-tests";

/** Hosts with a private address; no other is known. */
const HOSTS: ReadonlyMap<string, string> = new Map([
  ["inside.test", "10.0.0.7"],
  ["localhost", "127.0.0.1"],
]);

/** An API over a real storage and engine, with one application. */
export interface ServedApi {
  readonly api: Api;
  readonly url: string;
  readonly port: number;
  readonly adminUrl: string;
  readonly adminPort: number;
  /** The data directory. */
  readonly path: string;
  readonly storage: Storage;
  readonly clock: SetClock;
  readonly application: Application;
  readonly key: string;
  /** Calls of the parts that the tests replace. */
  readonly calls: [name: string, ...arguments_: unknown[]][];
  /** Subjects that were erased. */
  readonly erased: Subject[];
  /** Sends a lookup over a new connection, with the key unless `headers` is given. */
  readonly get: (path: string, headers?: RawRequest["headers"]) => Promise<RawAnswer>;
  /** Sends a request to the administration listener over a new connection. */
  readonly getAdmin: (path: string, headers?: RawRequest["headers"]) => Promise<RawAnswer>;
  /** Calls the administration API. */
  readonly admin: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly body: Json }>;
}

/** An object of JSON. */
export type Json = Record<string, unknown>;

async function resolveHost(host: string): Promise<readonly LookupAddress[]> {
  const address = HOSTS.get(host);
  if (address !== undefined) return [{ address, family: 4 }];
  throw Object.assign(new Error(`unknown host ${host}`), { code: "ENOTFOUND" });
}

/** Serves the API on a free port until the test ends. */
export async function serveApi(
  settings: Partial<ApiOptions> & {
    readonly lookup?: RiskLookup;
    readonly application?: Partial<ApplicationSettings>;
    readonly adminHost?: string;
  } = {},
): Promise<ServedApi> {
  const { storage, clock, path } = await temporaryStorage();
  const {
    lookup,
    application: set,
    adminHost,
    adminOrigin,
    adminProofKey,
    metricsToken,
    console,
    rateLimit,
    ...rest
  } = settings;
  const { adminToken = ADMIN_TOKEN } = settings;
  const engine = await createEngine({ feeds: FEEDS, ledger: createMemoryLedger() });
  const operatorRules = await loadServiceRules(storage.operatorRules, () => {});
  const withRules = createEngineWithRules(engine, operatorRules);
  const explanations = {
    explainIp: async (ip: string) => engine.explainIp(ip),
    explainEmail: async (email: string) => engine.explainEmail(email),
  };
  const calls: ServedApi["calls"] = [];
  const erased: Subject[] = [];
  const parts = {
    storage: {
      ...storage,
      async erase(subject: Subject) {
        erased.push(subject);
        return storage.erase(subject);
      },
    },
    addresses: createServiceAddresses(undefined),
    lagWatch: { longestMs: () => 0 },
    lookupOf: () => lookup ?? withRules,
    metrics: createMetrics(),
    feedsInUse: () => engine.feeds(),
    intake: fakeIntake(calls),
    isClockBehind: () => false,
    dispatcher: {
      wake: () => void calls.push(["wake"]),
      retry: (id: string) => storage.deliveries.retry(id),
      async sendTest(id: string) {
        calls.push(["sendTest", id]);
        return "0".repeat(32);
      },
    },
    onNotice: (notice: object) => void calls.push(["onNotice", notice]),
    blockedDestination: createDestinationCheck(resolveHost, () => []),
    scores: createRecentScores(),
    rules: operatorRules,
    isAllowed: createAllowList(operatorRules, []).covers,
    rulesDryRun: createOperatorRuleDryRun({
      storage,
      plain: () => explanations,
      rules: operatorRules,
      clock: () => clock.now,
    }),
    explainOf: () => withRules,
    blockSource: createBlockSource(storage, () => clock.now, createAllowList(operatorRules, [])),
    feeds: {
      list: () => engine.feeds(),
      reload: () => engine.reload(),
      async update() {
        calls.push(["updateFeeds"]);
        return [{ name: "tor", state: "unchanged" as const, entries: 1 }];
      },
    },
    detection: DETECTION_DEFAULTS,
    history: createHistory({ storage, providerRules: true, clock: () => clock.now }),
    dryRun: createDryRun({
      storage,
      rules: DETECTION_DEFAULTS,
      ledger: {},
      engine: {},
      clock: () => clock.now,
    }),
    onSharingChanged: async () => void calls.push(["sharingChanged"]),
    onErased: () => void calls.push(["erased"]),
  };
  const read = readOptions(
    "createService",
    {
      adminToken,
      ...(adminProofKey !== undefined && { adminProofKey }),
      adminOrigin,
      ...(metricsToken !== undefined && { metricsToken }),
      console,
      rateLimit,
    },
    readApiSettings,
  );
  const api = createApi(parts, { drainMs: 50, ...rest, ...read });
  const { url, adminUrl } = await api.listen({ port: 0, host: "127.0.0.1", adminHost });
  onTestFinished(async () => {
    await api.close();
    await engine.close();
  });
  const port = Number(new URL(url).port);
  const adminPort = Number(new URL(adminUrl).port);
  const application = await storage.applications.create({ name: "shop", ...set });
  const { key } = await storage.applications.addKey(application.id);

  return {
    api,
    url,
    port,
    adminUrl,
    adminPort,
    path,
    storage,
    clock,
    application,
    key,
    calls,
    erased,
    get: (path, headers = [["X-API-Key", key]]) =>
      rawRequest(port, { method: "GET", path, headers }),
    getAdmin: (path, headers = []) => rawRequest(adminPort, { method: "GET", path, headers }),
    async admin(method, path, body) {
      const response = await fetch(`${adminUrl}/admin/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Json };
    },
  };
}

/** The answer to every report. */
export const REPORT: Report = {
  accepted: 1,
  duplicates: 0,
  refused: 0,
  elements: [],
  events: [],
};

function fakeIntake(calls: ServedApi["calls"]): AdminParts["intake"] {
  const take =
    (name: string) =>
    async (...given: readonly unknown[]) => {
      calls.push([name, ...given]);
      return REPORT;
    };
  return {
    report: take("report"),
    outcomes: take("outcomes"),
    counters: take("counters"),
    decisions: take("decisions"),
    labels: take("labels"),
  };
}

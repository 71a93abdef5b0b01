import type { FastifyInstance } from "fastify";
import { CONSOLE_DIRECTORY } from "@riskgate/console";
import { RiskGateError, type RiskLookup } from "@riskgate/core";
import { limitTime } from "@riskgate/core/internal";
import type { LagWatch } from "../intake/lag-watch.js";
import type { RecentScores } from "../rehearsal/recent-scores.js";
import type { BlockSource } from "../operator/block-source.js";
import type { Storage } from "../storage/storage.js";
import { createLookupPublisher } from "../lookups/answered-lookup.js";
import { addResource } from "./add-resource.js";
import type { AdminParts } from "./admin/admin-parts.js";
import { type AdminAccess, addAdminRoutes } from "./admin/admin-routes.js";
import type { ApiSettings } from "./api-settings.js";
import { readConsoleFiles } from "./console/console-files.js";
import { addConsoleRoutes } from "./console/console-routes.js";
import { createSessions } from "./console/sessions.js";
import { createAuthenticator } from "./authenticator.js";
import { addHealthRoutes } from "./health-routes.js";
import { createHostGuard, type Guard } from "./host-guard.js";
import {
  addressesOf,
  adminPlaceOf,
  isLocalPlace,
  type ListenAddress,
  listenForAdmin,
  listenOn,
} from "./listen-address.js";
import { createLookupRoute } from "./lookup-route.js";
import { createLookupHistory } from "../lookups/lookup-history.js";
import { addMetricsRoute, type MetricsRouteParts } from "./metrics-route.js";
import { OPENAPI_TEXT } from "./openapi-text.js";
import type { RequestRecord } from "./request-record.js";
import { addBlockListRoute } from "./block-list-route.js";
import { addReportRoutes } from "./report-routes.js";
import type { ServiceAddresses } from "./service-addresses.js";
import { createRequestLimits } from "./request-limits.js";
import { createHttpServer } from "./server.js";
import { createTokenGuard } from "./token-guard.js";
import { createWrongCredentials } from "./wrong-credentials.js";

export interface ApiOptions extends ApiSettings {
  /** Maximum size of a request body, in bytes; default 5 MiB. */
  readonly maxBodyBytes?: number;
  /** How long `close` waits for open connections, in milliseconds; default 2,000. */
  readonly drainMs?: number;
  /** Called after every response, and after a client disconnected. */
  readonly onRequest?: ((request: RequestRecord) => void) | undefined;
  readonly nowMs?: () => number;
}

export interface ApiParts
  extends Omit<AdminParts, "storage" | "lookups" | "scores" | "onChanged">, MetricsRouteParts {
  readonly storage: Storage;
  readonly scores: Pick<RecentScores, "observe" | "view">;
  readonly addresses: ServiceAddresses;
  readonly isClockBehind: () => boolean;
  readonly lagWatch: Pick<LagWatch, "longestMs">;
  readonly lookupOf: (applicationId: string) => RiskLookup;
  readonly blockSource: BlockSource;
}

interface ListeningService {
  readonly url: string;
  /** URL of administration and metrics on this machine; `unix:` and the path of a socket. */
  readonly adminUrl: string;
  /** URL of the console; absent without one, and on a socket without `adminOrigin`. */
  readonly consoleUrl?: string;
}

/** Time limit for loading changed keys before a response. */
const REFRESH_MS = 2_000;

export interface Api {
  /**
   * Listens on two addresses: one for lookups and reports, the other for administration.
   *
   * @throws {RiskGateError} CONFIG_INVALID if a port, address or socket is not available, or if
   * other machines could read the metrics without a token.
   */
  readonly listen: (address: ListenAddress) => Promise<ListeningService>;
  refreshKeys(): Promise<void>;
  close(): Promise<void>;
}

export function createApi(parts: ApiParts, options: ApiOptions): Api {
  const { maxBodyBytes = 5 * 1024 * 1024, drainMs = 2_000, onRequest } = options;
  const { nowMs = () => performance.now() } = options;
  const { storage, lookupOf, metrics } = parts;
  const history = createLookupHistory();
  const authenticator = createAuthenticator(storage.applications, "lookup");
  const reporters = createAuthenticator(storage.applications, "report");
  const blockReaders = createAuthenticator(storage.applications, "blocks");
  const wrongCredentials = createWrongCredentials();
  const limits = createRequestLimits(options.rateLimit, storage);
  const handler = createLookupRoute({
    lookupOf,
    authenticator,
    wrongCredentials,
    limits,
    onAnswered: createLookupPublisher([metrics.lookup, history.count, parts.scores.observe]),
    nowMs,
  });
  const server = createHttpServer({ handler, maxBodyBytes, drainMs, onRequest });
  addReportRoutes(server, {
    intake: parts.intake,
    authenticator: reporters,
    wrongCredentials,
    limits,
  });
  addBlockListRoute(server, {
    source: parts.blockSource,
    authenticator: blockReaders,
    wrongCredentials,
    limits,
  });
  addHealthRoutes(server, parts);
  const adminServer = createHttpServer({ handler: () => false, maxBodyBytes, drainMs, onRequest });
  const servers = [server, adminServer];
  for (const each of servers) addOpenapiRoute(each);
  const authenticators = [authenticator, reporters, blockReaders];
  const refreshKeys = async (): Promise<void> => {
    await Promise.all(authenticators.map((each) => each.refresh()));
  };
  const onChanged = (): Promise<void> =>
    limitTime(refreshKeys(), REFRESH_MS, undefined, true).catch(() => {
      // The response will confirm the revocation, so the key must no longer be accepted.
      for (const each of authenticators) each.forget();
    });
  let isLocal = false;
  // Behind a proxy, other machines connect from this one.
  const isOpen = (): boolean =>
    isLocal && options.metricsToken === undefined && options.adminOrigin === undefined;
  adminServer.addHook(
    "onRequest",
    createHostGuard(() => isLocal, options.adminOrigin),
  );
  const sessions = createSessions(nowMs);
  const adminParts = { ...parts, lookups: history, onChanged };
  addAdministration(adminServer, adminParts, options, { sessions, wrongCredentials, isOpen });
  let removeSocket = (): void => {};
  return {
    async listen(address) {
      const place = adminPlaceOf(address);
      isLocal = isLocalPlace(place);
      if (!isOpen() && (options.metricsToken ?? options.adminToken) === undefined) {
        throw new RiskGateError("CONFIG_INVALID", "other machines can read the metrics", {
          hint: "Set `metricsToken` or `adminToken`, or neither `adminHost` nor `adminOrigin`",
        });
      }
      const { adminUrl, remove } = await listenForAdmin(adminServer, place);
      removeSocket = remove;
      const url = await listenOn(server, address, "port");
      const consoleUrl = consoleUrlOf(adminUrl, options);
      parts.addresses.set(() => addressesOf(servers), consoleUrl);
      return { url, adminUrl, ...(consoleUrl !== undefined && { consoleUrl: `${consoleUrl}/` }) };
    },
    refreshKeys,
    async close() {
      removeSocket();
      await Promise.all(servers.map((each) => each.close()));
    },
  };
}

/** Returns undefined if there is no console, or if no browser can connect to it. */
function consoleUrlOf(adminUrl: string, options: ApiOptions): string | undefined {
  const origin = options.adminOrigin ?? (adminUrl.startsWith("http") ? adminUrl : undefined);
  const hasConsole = options.adminToken !== undefined && options.console;
  return hasConsole && origin !== undefined ? `${origin}/console` : undefined;
}

function addAdministration(
  server: FastifyInstance,
  parts: AdminParts & MetricsRouteParts,
  { adminToken: token, adminProofKey: proofKey, adminOrigin, metricsToken, console }: ApiOptions,
  access: Pick<AdminAccess, "sessions" | "wrongCredentials"> & { readonly isOpen: () => boolean },
): void {
  const { isOpen, ...shared } = access;
  const readToken = metricsToken ?? token;
  const guard = readToken && createTokenGuard(readToken, shared.wrongCredentials);
  addMetricsRoute(server, parts, (request, reply, next) => {
    if (isOpen()) next();
    // `listen` has checked that there is one.
    else (guard as Guard)(request, reply, next);
  });
  if (token === undefined) return;
  addAdminRoutes(server, { ...shared, token, proofKey, adminOrigin }, parts);
  if (!console) return;
  const files = readConsoleFiles(CONSOLE_DIRECTORY);
  addConsoleRoutes(server, { ...shared, token, adminOrigin, files });
}

function addOpenapiRoute(server: FastifyInstance): void {
  addResource(server, "/openapi.json", {
    GET: (_request, reply) => reply.type("application/json; charset=utf-8").send(OPENAPI_TEXT),
  });
}

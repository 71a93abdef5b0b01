import type { AddressInfo } from "node:net";
import { CONSOLE_DIRECTORY } from "@riskgate/console";
import { RiskGateError, type RiskLookup } from "@riskgate/core";
import type { RecentScores } from "../rehearsal/recent-scores.js";
import type { Storage } from "../storage/storage.js";
import { createLookupPublisher } from "../lookups/answered-lookup.js";
import { createAddressGuard } from "./address-guard.js";
import type { AdminParts } from "./admin/admin-parts.js";
import { addAdminRoutes } from "./admin/admin-routes.js";
import type { ApiSettings } from "./api-settings.js";
import { readConsoleFiles } from "./console/console-files.js";
import { addConsoleRoutes } from "./console/console-routes.js";
import { createSessions } from "./console/sessions.js";
import { createAuthenticator } from "./authenticator.js";
import { addHealthRoutes } from "./health-routes.js";
import { createLookupRoute } from "./lookup-route.js";
import { createLookupHistory } from "../lookups/lookup-history.js";
import type { Gauges, Metrics } from "./metrics.js";
import type { RequestRecord } from "./request-record.js";
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
  /** Monotonic clock in milliseconds. */
  readonly nowMs?: () => number;
}

export interface ApiParts extends Omit<AdminParts, "storage" | "lookups" | "scores" | "onChanged"> {
  readonly storage: Storage;
  readonly scores: Pick<RecentScores, "observe" | "view">;
  readonly addresses: ServiceAddresses;
  readonly lookup: RiskLookup;
  readonly metrics: Metrics;
  /** Returns the sizes of the ledger and the feeds for the metrics. */
  readonly inMemory: () => Pick<Gauges, "ledger" | "feeds">;
}

interface ListeningService {
  readonly url: string;
  /** URL of the console on this machine; absent if the service has no console. */
  readonly consoleUrl?: string;
}

/** The HTTP side of the service. */
export interface Api {
  /**
   * Listens on an address; port 0 selects a free port.
   *
   * @throws {RiskGateError} CONFIG_INVALID if the port or address is not available.
   */
  readonly listen: (address: {
    readonly port: number;
    readonly host: string;
  }) => Promise<ListeningService>;
  /** Reloads the valid keys after another process changed them. */
  refreshKeys(): Promise<void>;
  /** Finishes open requests, then stops. */
  close(): Promise<void>;
}

/** Creates the HTTP side; it does not listen yet. */
export function createApi(parts: ApiParts, options: ApiOptions): Api {
  const { adminToken, adminProofKey: proofKey, adminNetworks, metricsToken, rateLimit } = options;
  const { maxBodyBytes = 5 * 1024 * 1024, drainMs = 2_000 } = options;
  const { nowMs = () => performance.now() } = options;
  const { storage, lookup, metrics } = parts;
  const history = createLookupHistory();
  const guard = createAddressGuard(adminNetworks);
  const authenticator = createAuthenticator(storage.applications, "lookup");
  const wrongCredentials = createWrongCredentials();
  const limits = createRequestLimits(rateLimit, storage);
  const handler = createLookupRoute({
    lookup,
    authenticator,
    wrongCredentials,
    limits,
    onAnswered: createLookupPublisher([metrics.lookup, history.count, parts.scores.observe]),
    nowMs,
  });
  const reporters = createAuthenticator(storage.applications, "report");
  const server = createHttpServer({ handler, maxBodyBytes, drainMs, onRequest: options.onRequest });
  const { intake } = parts;
  addReportRoutes(server, { intake, authenticator: reporters, wrongCredentials, limits });
  const metricsGuard =
    metricsToken === undefined ? guard : createTokenGuard(metricsToken, wrongCredentials);
  addHealthRoutes(server, { storage, metrics, inMemory: parts.inMemory, guard: metricsGuard });
  const authenticators = [authenticator, reporters];
  const refreshKeys = async (): Promise<void> => {
    await Promise.all(authenticators.map((each) => each.refresh()));
  };
  const onChanged = (): Promise<void> =>
    refreshKeys().catch(() => {
      // The response will confirm the revocation, so the key must no longer be accepted.
      for (const each of authenticators) each.forget();
    });
  const hasConsole = adminToken !== undefined && options.console;
  if (adminToken !== undefined) {
    const sessions = createSessions(nowMs);
    addAdminRoutes(
      server,
      { token: adminToken, proofKey, guard, sessions, wrongCredentials },
      { ...parts, lookups: history, onChanged },
    );
    if (hasConsole) {
      const files = readConsoleFiles(CONSOLE_DIRECTORY);
      addConsoleRoutes(server, { token: adminToken, sessions, wrongCredentials, guard, files });
    }
  }
  const listeners = (): readonly AddressInfo[] => server.addresses() as AddressInfo[];
  return {
    async listen(address) {
      await server.listen(address).catch((cause: NodeJS.ErrnoException) => {
        throw cannotListen(address, cause);
      });
      const [taken] = listeners();
      const host = taken!.family === "IPv6" ? `[${taken!.address}]` : taken!.address;
      const url = `http://${host}:${taken!.port}`;
      const consoleUrl = hasConsole ? `${reachedLocally(url)}/console` : undefined;
      parts.addresses.set(listeners, consoleUrl);
      return { url, ...(consoleUrl !== undefined && { consoleUrl: `${consoleUrl}/` }) };
    },
    refreshKeys,
    close: () => server.close(),
  };
}

/** Returns the local URL of a service that listens on every address. */
function reachedLocally(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

function cannotListen(
  { port, host }: { readonly port: number; readonly host: string },
  cause: NodeJS.ErrnoException,
): RiskGateError {
  const reason = cause.code ?? cause.message;
  const message = `cannot listen on ${host}, port ${port}: ${reason}`;
  const hint = PORT_PROBLEMS.has(reason)
    ? "Choose another port, or 0 for a free one"
    : "Choose one of this machine's addresses, such as 127.0.0.1, or 0.0.0.0 for all of them";
  return new RiskGateError("CONFIG_INVALID", message, { cause, hint });
}

const PORT_PROBLEMS: ReadonlySet<string> = new Set(["EADDRINUSE", "EACCES"]);

import { performance } from "node:perf_hooks";
import type { AddressInfo } from "node:net";
import { RiskGateError, type RiskLookup } from "@riskgate/core";
import type { Storage } from "../storage/storage.js";
import { createAddressGuard, LOOPBACK } from "./address-guard.js";
import type { AdminParts } from "./admin/admin-parts.js";
import { addAdminRoutes } from "./admin/admin-routes.js";
import { createAuthenticator } from "./authenticator.js";
import { addHealthRoutes } from "./health-routes.js";
import { createLookupHandler } from "./lookup-handler.js";
import type { Metrics } from "./metrics.js";
import type { RateLimit } from "./rate-limit.js";
import { createHttpServer } from "./server.js";

/** Settings of {@link createApi}. */
export interface ApiSettings {
  /** Token of the administration API, at least 16 characters; without one there is no such API. */
  readonly adminToken?: string | undefined;
  /** Networks that administration and metrics are open to; default this machine. */
  readonly adminNetworks?: readonly string[];
  /** Of each sandbox application; default 10 lookups per second, 100 at once. */
  readonly rateLimit?: RateLimit;
  /** Most bytes of a request; default 5 MiB. */
  readonly maxBodyBytes?: number;
  /** How long open connections may finish when it closes, in milliseconds; default 2,000. */
  readonly drainMs?: number;
  /** Milliseconds on a clock that never jumps. */
  readonly nowMs?: () => number;
}

/** What the API answers from. */
export interface ApiParts extends Omit<AdminParts, "storage" | "onChanged"> {
  readonly storage: Storage;
  readonly lookup: RiskLookup;
  readonly metrics: Metrics;
}

/** The HTTP side of the service. */
export interface Api {
  /** Port 0 takes a free one. */
  listen(address: {
    readonly port: number;
    readonly host: string;
  }): Promise<{ readonly url: string }>;
  /** Addresses that it listens on. */
  listeners(): readonly { readonly address: string; readonly port: number }[];
  /** Answer what has arrived, then stop. */
  close(): Promise<void>;
}

/**
 * Make the HTTP side; it does not listen yet.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a setting that cannot be.
 */
export function createApi(parts: ApiParts, settings: ApiSettings = {}): Api {
  const {
    adminToken,
    adminNetworks = LOOPBACK,
    rateLimit = { burst: 100, perSecond: 10 },
    maxBodyBytes = 5 * 1024 * 1024,
    drainMs = 2_000,
    nowMs = () => performance.now(),
  } = settings;
  requireToken(adminToken);
  requireRateLimit(rateLimit);
  const { storage, lookup, metrics } = parts;
  const guard = createAddressGuard("adminNetworks", adminNetworks);
  const authenticator = createAuthenticator(storage.applications);
  const handler = createLookupHandler({ lookup, authenticator, metrics, rateLimit, nowMs });
  const server = createHttpServer({ handler, maxBodyBytes, drainMs });
  addHealthRoutes(server, { storage, metrics, guard });
  if (adminToken !== undefined) {
    addAdminRoutes(
      server,
      { token: adminToken, guard },
      { ...parts, onChanged: () => authenticator.forget() },
    );
  }
  const addresses = (): readonly AddressInfo[] => server.addresses() as AddressInfo[];
  return {
    async listen(address) {
      await server.listen(address);
      const [taken] = addresses();
      const host = taken!.family === "IPv6" ? `[${taken!.address}]` : taken!.address;
      return { url: `http://${host}:${taken!.port}` };
    },
    listeners: addresses,
    close: () => server.close(),
  };
}

/** Short enough to be typed, long enough not to be guessed. */
const MIN_TOKEN_LENGTH = 16;

function requireToken(token: unknown): void {
  if (token === undefined) return;
  // A header holds visible ASCII alone, without blanks at its ends.
  if (typeof token === "string" && token.length >= MIN_TOKEN_LENGTH && /^[!-~]+$/.test(token))
    return;
  throw new RiskGateError(
    "CONFIG_INVALID",
    `\`adminToken\` must have at least ${MIN_TOKEN_LENGTH} characters of ASCII, without blanks`,
  );
}

function requireRateLimit(limit: RateLimit): void {
  for (const [name, least] of [
    ["burst", 1],
    ["perSecond", Number.MIN_VALUE],
  ] as const) {
    const value: unknown = limit[name];
    if (typeof value === "number" && value >= least && value < Infinity) continue;
    throw new RiskGateError(
      "CONFIG_INVALID",
      `\`rateLimit.${name}\` must be a number ${least === 1 ? "of at least 1" : "above 0"}`,
    );
  }
}

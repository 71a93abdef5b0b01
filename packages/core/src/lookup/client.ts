import type { Assessment, EmailAssessment, IpAssessment, Scored } from "../model/assessment.js";
import { createCache } from "./cache.js";
import { createSharedCache } from "./cache-store.js";
import type { ClientContext } from "./call.js";
import {
  type ClientSettings,
  readClientOptions,
  type RiskClientOptions,
} from "./client-options.js";
import { LookupBreaker } from "./lookup-breaker.js";
import { createLookups } from "./lookups.js";
import { emailProblem, foldEmail } from "../address/email-address.js";
import { typeName } from "../base/type-name.js";
import { RiskGateError } from "../base/errors.js";
import { createFetchTransport } from "./fetch-transport.js";
import { normalizeIp } from "../address/ip-address.js";
import { createOwnTransport } from "./own-transport.js";
import { checkError } from "./check-error.js";
import { lookupMany } from "./lookup-many.js";
import type { LookupOptions, RiskLookup } from "../model/lookup.js";
import { createSemaphore } from "./semaphore.js";

/** A documentation address, assigned to nobody. */
const PROBE_IP = "192.0.2.1";

/** Lookups over HTTP, from any service that follows the specification. */
export interface RiskClient extends RiskLookup {
  peekIp(ip: string): Scored<IpAssessment> | undefined;
  peekEmail(email: string): Scored<EmailAssessment> | undefined;
  /**
   * Looks up IP and email addresses, each only once. Resolves to the results in list order: `{
   * status: "fulfilled", value }` with an assessment, or `{ status: "rejected", reason }` with the
   * lookup's RiskGateError. After the signal fires, the remaining ones are `ABORTED`.
   * @param options `concurrency` is the maximum number of concurrent lookups, default 16; `signal`
   * and `timeoutMs` apply to each lookup.
   * @throws {RiskGateError} By rejection: INVALID_ARGUMENT for a value that is not a list, and
   * CONFIG_INVALID for invalid options.
   */
  lookupMany(
    addresses: readonly string[],
    options?: LookupOptions & { concurrency?: number },
  ): Promise<PromiseSettledResult<Assessment>[]>;
  /**
   * Resolves if the service responds, accepts the key and returns an assessment. Looks up a
   * documentation address, bypassing cache and circuit breaker.
   * @throws {RiskGateError} By rejection, like a lookup. `code` and `hint` distinguish a wrong key
   * (UNAUTHORIZED), a wrong host (NETWORK, TIMEOUT) and another server (any other code).
   */
  check(options?: LookupOptions): Promise<void>;
  /** Closes all connections; pending and later lookups reject with code `ABORTED`. */
  close(): Promise<void>;
}

/**
 * Creates a client for a lookup service. It connects on the first lookup. Assessments are frozen,
 * because many callers may share one.
 *
 * @throws {RiskGateError} CONFIG_INVALID. Lookups reject with INVALID_ARGUMENT, ABORTED, TIMEOUT,
 *   NETWORK, UNAUTHORIZED, BAD_REQUEST, RATE_LIMITED, UPSTREAM_STATUS, REDIRECT_REFUSED,
 *   INVALID_RESPONSE or RESPONSE_TOO_LARGE.
 *
 * @example
 * const client = createRiskClient({ baseUrl: "https://risk.example", apiKey });
 * const { risk_score } = await client.lookupIp("203.0.113.7");
 * await client.close();
 */
export function createRiskClient(options: RiskClientOptions): RiskClient {
  const settings = readClientOptions(options);
  const { basePath, cache, origin, apiKey } = settings;
  const client = createClientContext(settings);
  const store = settings.store && createSharedCache(settings.store, [origin + basePath, apiKey]);

  const ofIps = { type: "ip", normalize: normalIp, fold: normalizeIp } as const;
  const ips = createLookups<IpAssessment>({
    ...ofIps,
    path: `${basePath}/v1/ips/`,
    client,
    cache: cache && createCache(cache),
    store,
  });
  const probe = createLookups<IpAssessment>({
    ...ofIps,
    path: `${basePath}/v1/ips/`,
    client: { ...client, breaker: undefined },
    cache: undefined,
    store: undefined,
  });
  const emails = createLookups<EmailAssessment>({
    type: "email",
    normalize: normalEmail,
    fold: foldEmail,
    path: `${basePath}/v1/emails/`,
    client,
    cache: cache && createCache(cache),
    store,
  });

  return Object.freeze<RiskClient>({
    lookupIp: ips.lookup,
    lookupEmail: emails.lookup,
    peekIp: ips.peek,
    peekEmail: emails.peek,
    lookupMany: (addresses, options = {}) =>
      lookupMany({ lookupIp: ips.lookup, lookupEmail: emails.lookup }, addresses, options),
    async check(options) {
      try {
        await probe.lookup(PROBE_IP, options);
      } catch (error) {
        throw checkError(error as RiskGateError, origin + basePath);
      }
    },
    async close() {
      probe.close();
      ips.close();
      emails.close();
      await client.transport.close();
    },
  });
}

function createClientContext(settings: ClientSettings): ClientContext {
  const { origin, apiKey, fetch, ca, maxConnections, timeoutMs, retries, breaker, now } = settings;
  const redact = (text: string): string => text.replaceAll(apiKey, "[redacted]");
  const transportSettings = {
    origin,
    headers: { "x-api-key": apiKey, accept: "application/json" },
    maxConnections,
    connectTimeoutMs: timeoutMs,
    ca,
    redact,
  };
  return {
    transport: fetch
      ? createFetchTransport(transportSettings, fetch)
      : createOwnTransport(transportSettings),
    semaphore: createSemaphore(maxConnections),
    breaker: breaker && new LookupBreaker(breaker),
    timeoutMs,
    retries,
    now,
    redact,
  };
}

function normalIp(value: string): string {
  const ip = normalizeIp(value);
  if (ip !== undefined) return ip;
  const given = typeof value === "string" ? "another text" : typeName(value);
  throw new RiskGateError("INVALID_ARGUMENT", `expected an IP address, given ${given}`);
}

function normalEmail(value: string): string {
  const problem = emailProblem(value);
  if (problem === undefined) return foldEmail(value);
  throw new RiskGateError("INVALID_ARGUMENT", `the email address cannot be looked up: ${problem}`);
}

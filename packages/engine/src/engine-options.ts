import { RiskGateError } from "@riskgate/core";
import { createIpTable, type IpTable } from "@riskgate/core/address";
import { normalizeDomain } from "./identifier/domain-name.js";
import { type FeedOptions, resolveFeed } from "./feeds/feed-options.js";
import type { GeoOptions } from "./geo/geo.js";
import type { Ledger } from "./ledger/ledger.js";
import { resolveWeights, type Weights } from "./assess/weights.js";

/** Options of {@link createEngine}. All of them may be left out. */
export interface EngineOptions {
  /** Lists of addresses and domains; default none. */
  readonly feeds?: readonly FeedOptions[];
  /** MaxMind DB file of cities or countries; without it every location is unknown. */
  readonly geo?: string | GeoOptions;
  /** Record of events; without it nobody has a history. */
  readonly ledger?: Ledger;
  /** What no list may mark, whatever it holds. Histories still count. */
  readonly allow?: AllowOptions;
  /** Points of signals, 0 to 100; each default is in {@link Weights}. */
  readonly weights?: Partial<Weights>;
}

/** What no list may mark. */
export interface AllowOptions {
  /** Domains that are never disposable, nor are their sub-domains. */
  readonly domains?: readonly string[];
  /** Addresses and CIDRs that no feed marks. */
  readonly ips?: readonly string[];
}

/** Options after their check, copied from what was given. */
export interface ResolvedOptions {
  readonly feeds: readonly FeedOptions[];
  readonly geo: GeoOptions | undefined;
  readonly ledger: Ledger | undefined;
  readonly allowedDomains: ReadonlySet<string>;
  readonly allowedIps: IpTable;
  readonly weights: Weights;
}

/**
 * Check and copy the options.
 *
 * @throws {RiskGateError} CONFIG_INVALID
 */
export function resolveOptions(options: EngineOptions): ResolvedOptions {
  const { feeds = [], geo, ledger, allow = {}, weights = {} } = options;
  for (const [name, value] of Object.entries({ allow, weights })) requireObject(value, name);
  if (!Array.isArray(feeds)) throw refusal("`feeds` must be an array");
  return {
    feeds: (feeds as readonly FeedOptions[]).map(resolveFeed),
    geo: resolveGeo(geo),
    ledger: resolveLedger(ledger),
    allowedDomains: new Set(listOf(allow.domains, "allow.domains").map(resolveDomain)),
    allowedIps: createIpTable(
      listOf(allow.ips, "allow.ips").map((ip) => [ip, 1] as const),
      (ip) => {
        throw refusal(`\`allow.ips\` must hold addresses and CIDRs, given ${ip}`);
      },
    ),
    weights: resolveWeights(weights),
  };
}

function resolveGeo(geo: EngineOptions["geo"]): GeoOptions | undefined {
  if (geo === undefined) return undefined;
  if (typeof geo !== "string") requireObject(geo, "geo");
  const { path, maxLocations = 1 } = typeof geo === "string" ? { path: geo } : geo;
  if (typeof path !== "string" || path === "") throw refusal("`geo` must be the path of a file");
  if (!Number.isSafeInteger(maxLocations) || maxLocations < 1) {
    throw refusal("`geo.maxLocations` must be a whole number above 0");
  }
  return typeof geo === "string" ? { path } : { ...geo };
}

function resolveLedger(ledger: Ledger | undefined): Ledger | undefined {
  if (ledger === undefined) return undefined;
  for (const method of ["record", "ipHistory", "emailHistory"] as const) {
    if (typeof ledger?.[method] !== "function") {
      throw refusal(`\`ledger\` must have the method ${method}; use createMemoryLedger()`);
    }
  }
  return ledger;
}

function resolveDomain(text: string): string {
  const domain = normalizeDomain(text);
  if (domain === undefined) throw refusal(`\`allow.domains\` must hold domains, given ${text}`);
  return domain;
}

function listOf(value: readonly string[] | undefined, name: string): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw refusal(`\`${name}\` must be an array of strings`);
}

function requireObject(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null) throw refusal(`\`${name}\` must be an object`);
}

function refusal(message: string): RiskGateError {
  return new RiskGateError("CONFIG_INVALID", message);
}

import { type OptionReader, readOptions } from "@riskgate/core/adapter";
import { createIpTable, type IpTable, normalizeDomain } from "@riskgate/core/address";
import { FORWARDING, type Forwarding } from "./feeds/disposable-domains.js";
import { type FeedOptions, resolveFeed } from "./feeds/feed-options.js";
import { type GeoOptions, MAX_LOCATIONS } from "./geo/geo.js";
import type { Ledger } from "./ledger/ledger.js";
import { type MxOptions, type MxSettings, readMxOptions } from "./mail/mx-options.js";
import { resolveWeights, type Weights } from "./assess/weights.js";

/** Options for {@link createEngine}, all optional. */
export interface EngineOptions {
  /**
   * Lists of addresses and domains; default none. Without a list of addresses, the first lookup of a
   * public address emits a process warning, unless you pass a list, which may be empty.
   */
  readonly feeds?: readonly FeedOptions[];
  /**
   * MaxMind DB file of cities or countries, or an object that can also name a file of autonomous
   * systems; without it every location is unknown.
   */
  readonly geo?: string | GeoOptions;
  /**
   * Query DNS to find out whether an email's domain receives mail; default off. The first lookup of
   * a domain then waits for DNS, and `peekEmail` returns undefined until the result is cached.
   */
  readonly mx?: MxOptions | false;
  /** Record of events; without it no address or account has a history. */
  readonly ledger?: Ledger;
  /**
   * Domains and IP addresses that no list can flag; their histories still count towards the score.
   */
  readonly allow?: AllowOptions;
  /**
   * Whether mailboxes of forwarding services, such as Apple's relay, Firefox Relay and SimpleLogin,
   * are `disposable` or treated like any other: `allow`, the default. Takes precedence over feeds.
   */
  readonly forwarding?: Forwarding;
  /** Points of signals, 0 to 100; each default is in {@link Weights}. */
  readonly weights?: Partial<Weights>;
}

/** Domains and IP addresses that no list can flag. */
export interface AllowOptions {
  /** Domains that, like their subdomains, are never disposable. */
  readonly domains?: readonly string[];
  /** Addresses and CIDRs that no feed can flag. */
  readonly ips?: readonly string[];
}

export interface ResolvedOptions {
  readonly feeds: readonly FeedOptions[];
  /** True if the caller has not chosen any feeds, not even none. */
  readonly isFeedless: boolean;
  readonly geo: GeoOptions | undefined;
  readonly mx: MxSettings | undefined;
  readonly ledger: Ledger | undefined;
  readonly allowedDomains: ReadonlySet<string>;
  readonly allowedIps: IpTable;
  readonly forwarding: Forwarding;
  readonly weights: Weights;
}

/** Checks and copies the options. @throws {RiskGateError} CONFIG_INVALID */
export function resolveOptions(given: EngineOptions): ResolvedOptions {
  return readOptions("createEngine", given, (options) => {
    const allow = groupOf(options, "allow");
    return {
      feeds: (options.groups("feeds") ?? []).map(resolveFeed),
      isFeedless: options.value("feeds") === undefined,
      geo: resolveGeo(options),
      mx: readMxOptions(options),
      ledger: options.object<Ledger>(
        "ledger",
        ["record", "ipHistory", "emailHistory"],
        "a ledger with the methods record, ipHistory and emailHistory, such as createMemoryLedger()",
      ),
      allowedDomains: new Set(listOf(allow, "domains").map((text) => resolveDomain(allow, text))),
      allowedIps: createIpTable(
        listOf(allow, "ips").map((ip) => [ip, 1] as const),
        (ip) => allow.refuse("ips", "a list of addresses and CIDRs", ip),
      ),
      forwarding: options.oneOf("forwarding", FORWARDING, "allow"),
      weights: resolveWeights(groupOf(options, "weights")),
    };
  });
}

function resolveGeo(options: OptionReader): GeoOptions | undefined {
  const geo = options.value("geo");
  if (geo === undefined) return undefined;
  if (geo === "") return options.refuse("geo", "the path of a file", geo);
  if (typeof geo === "string") return { path: geo };
  const group = groupOf(options, "geo");
  const path = group.string("path");
  const asn = group.string("asn");
  const maxLocations = group.integer("maxLocations", MAX_LOCATIONS);
  if (asn === "") return group.refuse("asn", "the path of a file", asn);
  if (path === "" || (path ?? asn) === undefined) {
    return group.refuse("path", "the path of a file", path);
  }
  return {
    maxLocations,
    ...(path !== undefined && { path }),
    ...(asn !== undefined && { asn }),
  };
}

function resolveDomain(allow: OptionReader, text: string): string {
  return normalizeDomain(text) ?? allow.refuse("domains", "a list of domains", text);
}

function groupOf(options: OptionReader, name: string): OptionReader {
  const value = options.value(name);
  if (value === null || value === false) options.refuse(name, "an object", value);
  return options.group(name)!;
}

function listOf(options: OptionReader, name: string): readonly string[] {
  return (options.list(name) ?? []).map((item) =>
    typeof item === "string" ? item : options.refuse(name, "a list of strings", item),
  );
}

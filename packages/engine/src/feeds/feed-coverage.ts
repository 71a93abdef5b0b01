import { domainAbove, loadShipped, readDomains } from "./disposable-domains.js";
import { Feed } from "./feed.js";
import type { FeedKind, FeedOptions } from "./feed-options.js";
import { parseNetwork } from "./ip-feeds.js";
import { NetworkRanges } from "./network-ranges.js";
import { PERMANENT_MAILBOXES } from "./permanent-mailboxes.js";
import { withPauses } from "./with-pauses.js";

/** How much of the internet a feed covers. */
export interface FeedReach {
  readonly ipv4Addresses: number;
  /** Number of /64 networks, the size of one site; smaller networks count as a whole /64. */
  readonly ipv6Networks: number;
  /** Number of domains, each including its subdomains. */
  readonly domains: number;
}

export interface FeedCoverage {
  readonly name: string;
  readonly kind: FeedKind;
  readonly entries: number;
  readonly covered: FeedReach;
  /**
   * The part not covered by previous feeds of the same kind nor, for domains, by the list shipped
   * with the engine.
   */
  readonly added: FeedReach;
}

/**
 * Measures what each feed covers, and what it adds to previous feeds of its kind. It reads every
 * list as an engine does.
 *
 * @returns One for each feed, in their order.
 * @throws {RiskGateError} CONFIG_INVALID for a list that an engine would reject.
 */
export async function measureFeeds(feeds: readonly FeedOptions[]): Promise<FeedCoverage[]> {
  const meters = new Map<FeedKind, FeedMeter>();
  const coverages: FeedCoverage[] = [];
  for (const options of feeds) {
    const { kind } = options;
    const known = kind === "disposable" && !meters.has(kind) ? await shippedDomains() : undefined;
    const meter = meters.get(kind) ?? createFeedMeter(kind, known);
    meters.set(kind, meter);
    const feed = await Feed.read(options);
    const reach = await meter(feed);
    const { name, size: entries } = feed.finish();
    coverages.push({ name, kind, entries, ...reach });
  }
  return coverages;
}

async function shippedDomains(): Promise<Set<string>> {
  const shipped = await loadShipped();
  return new Set([...shipped].filter((domain) => !PERMANENT_MAILBOXES.has(domain)));
}

type Reach = Pick<FeedCoverage, "covered" | "added">;

/** Measures a feed, and what it adds to previously measured ones. */
export type FeedMeter = (feed: Feed) => Promise<Reach>;

/** @param known Domains that count as covered from the start. */
export function createFeedMeter(kind: FeedKind, known: Set<string> = new Set()): FeedMeter {
  const networks = new NetworkRanges();
  return (feed) => (kind === "disposable" ? addDomains(feed, known) : addNetworks(feed, networks));
}

async function addNetworks(feed: Feed, before: NetworkRanges): Promise<Reach> {
  const own = new NetworkRanges();
  const words = new Uint32Array(4);
  await withPauses(feed.entries(), (entry) => {
    const network = parseNetwork(entry, words);
    if (network) own.add(network, words);
    else feed.skip();
  });
  own.merge();
  const [addresses, sites] = [before.addresses, before.sites];
  before.addAll(own);
  before.merge();
  return {
    covered: { ipv4Addresses: own.addresses, ipv6Networks: own.sites, domains: 0 },
    added: {
      ipv4Addresses: before.addresses - addresses,
      ipv6Networks: before.sites - sites,
      domains: 0,
    },
  };
}

async function addDomains(feed: Feed, before: Set<string>): Promise<Reach> {
  const own = new Set<string>();
  await readDomains(feed, (domain) => own.add(domain));
  const added = [...own].filter((domain) => !isCovered(domain, before));
  for (const domain of added) before.add(domain);
  const networks = { ipv4Addresses: 0, ipv6Networks: 0 };
  return {
    covered: { ...networks, domains: own.size },
    added: { ...networks, domains: added.length },
  };
}

function isCovered(domain: string, by: ReadonlySet<string>): boolean {
  for (let at: string | undefined = domain; at !== undefined; at = domainAbove(at)) {
    if (by.has(at)) return true;
  }
  return false;
}

import { RiskGateError } from "@riskgate/core";
import { isLargeProvider } from "@riskgate/core/internal";
import { readDomains } from "./disposable-domains.js";
import { Feed } from "./feed.js";
import { createFeedMeter, type FeedReach } from "./feed-coverage.js";
import type { ResolvedSource } from "./feed-source.js";
import { createIpFeeds } from "./ip-feeds.js";

/** Limits on how a list may differ from the one that it replaces. */
export interface FeedLimits {
  /** The list in use and its number of entries; undefined for the first one. */
  readonly previous: { readonly entries: number; readonly list: Buffer } | undefined;
  /** Largest share of entries that may be removed at once, 0 to 1. */
  readonly maxShrink: number;
  /** Largest increase in coverage, as a share of the previous coverage. */
  readonly maxGrowth: number;
}

/** The largest published lists, of all data centers, cover a tenth of the IPv4 addresses. */
const MAX_COVERED: Reach = { ipv4Addresses: 2 ** 30, ipv6Networks: 2 ** 59 };

/** Growth that is always allowed: an IPv4 /16, an IPv6 /32, and this many domains. */
const FREE_GROWTH: FeedReach = { ipv4Addresses: 2 ** 16, ipv6Networks: 2 ** 32, domains: 10_000 };

type Reach = Omit<FeedReach, "domains">;

const NOUNS = {
  ipv4Addresses: "IPv4 addresses",
  ipv6Networks: "IPv6 networks of /64",
  domains: "domains",
} as const;

/**
 * Checks a downloaded list, parsing it exactly as the engine will.
 *
 * @returns Number of entries.
 * @throws {RiskGateError} INVALID_RESPONSE if it is not a list, if most of its lines are invalid,
 * if it lost too many entries, if it covers or adds too much of the internet, or if it marks a
 * large mailbox provider as disposable.
 */
export async function checkList(
  source: ResolvedSource,
  body: Buffer,
  limits: FeedLimits,
): Promise<number> {
  const { size, skipped } = await count(source, body);
  if (skipped > size) {
    throw refusal(`expected a list of entries, given ${skipped} others beside ${size}`);
  }
  const { previous, maxShrink } = limits;
  if (previous && size < previous.entries * (1 - maxShrink)) {
    throw refusal(`expected about ${previous.entries} entries as before, given ${size}`);
  }
  await checkGrowth(source, body, limits);
  return size;
}

async function count(
  { kind, name }: ResolvedSource,
  body: Buffer,
): Promise<{ size: number; skipped: number }> {
  const feed = Feed.parse({ kind, name }, body.toString("utf8"), 0);
  if (kind === "disposable") await readDomains(feed, refuseLargeProvider);
  else await createIpFeeds([feed]);
  try {
    return feed.finish();
  } catch (cause) {
    throw refusal((cause as RiskGateError).message);
  }
}

/** A single wrong line could block half of all sign-ups. */
function refuseLargeProvider(domain: string): void {
  if (!isLargeProvider(domain)) return;
  throw refusal(
    `the list calls ${domain} disposable, where anybody can have a mailbox`,
    "Check the URL; to refuse this domain, use an operator rule or the list `deny`",
  );
}

async function checkGrowth(
  { kind, name }: ResolvedSource,
  body: Buffer,
  { previous, maxGrowth }: FeedLimits,
): Promise<void> {
  const measure = createFeedMeter(kind);
  const feedOf = (list: Buffer): Feed => Feed.parse({ kind, name }, list.toString("utf8"), 0);
  const before = previous && (await measure(feedOf(previous.list)));
  const { covered, added } = await measure(feedOf(body));
  for (const unit of ["ipv4Addresses", "ipv6Networks"] as const) {
    if (covered[unit] > MAX_COVERED[unit]) {
      throw refusal(`the list covers ${covered[unit]} ${NOUNS[unit]}, a quarter of all or more`);
    }
  }
  if (!before) return;
  for (const unit of ["ipv4Addresses", "ipv6Networks", "domains"] as const) {
    const most = Math.max(FREE_GROWTH[unit], before.covered[unit] * maxGrowth);
    if (added[unit] > most) {
      const known = `beside ${before.covered[unit]} known ones`;
      throw refusal(
        `the list adds ${added[unit]} ${NOUNS[unit]} ${known}`,
        "Check the URL; if the list is right, raise `maxGrowth` or remove the old copy",
      );
    }
  }
}

function refusal(
  message: string,
  hint = "Check the URL; if the list is right, raise `maxShrink` or remove the old copy",
): RiskGateError {
  return new RiskGateError("INVALID_RESPONSE", message, { hint });
}

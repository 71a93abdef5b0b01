import {
  type EmailAssessment,
  type IpAssessment,
  type LookupOptions,
  RiskGateError,
  type RiskLookup,
  type Scored,
} from "@riskgate/core";
import { createDisposableDomains } from "./feeds/disposable-domains.js";
import { createEmailAssessor, type EmailAssessor } from "./assess/email-assessor.js";
import { type EngineOptions, type ResolvedOptions, resolveOptions } from "./engine-options.js";
import type { Explanation } from "./assess/explanation.js";
import { Feed } from "./feeds/feed.js";
import type { FeedInfo } from "./feeds/feed-options.js";
import { NOWHERE, openGeo } from "./geo/geo.js";
import { createIpAssessor, type IpAssessor } from "./assess/ip-assessor.js";
import { createIpFeeds } from "./feeds/ip-feeds.js";

/**
 * Answers lookups inside the process, without a network.
 *
 * Addresses are echoed in their normal form, emails exactly as asked. Once closed, lookups fail with
 * `ABORTED` and peeks find nothing.
 */
export interface Engine extends RiskLookup {
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED, ABORTED; all by rejection */
  lookupIp(ip: string, options?: LookupOptions): Promise<IpAssessment>;
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED, ABORTED; all by rejection */
  lookupEmail(email: string, options?: LookupOptions): Promise<EmailAssessment>;
  /** The same answer, synchronously; undefined where the lookup would fail. */
  peekIp(ip: string): Scored<IpAssessment> | undefined;
  /** The same answer, synchronously; undefined where the lookup would fail. */
  peekEmail(email: string): Scored<EmailAssessment> | undefined;
  /** The answer with each signal. @throws {RiskGateError} as the lookup */
  explainIp(ip: string): Explanation<IpAssessment>;
  /** The answer with each signal. @throws {RiskGateError} as the lookup */
  explainEmail(email: string): Explanation<EmailAssessment>;
  /** What is loaded, in the order of the option. */
  feeds(): readonly FeedInfo[];
  /**
   * Load every feed and the geo database again, then switch to all of them at once. Calls during a reload
   * share it. What was loaded before stays in use when this fails.
   *
   * @throws {RiskGateError} CONFIG_INVALID, ABORTED
   */
  reload(): Promise<void>;
  /** Release everything that was loaded. The ledger stays open: it is the caller's. */
  close(): Promise<void>;
}

/**
 * Create an engine and load what it answers from.
 *
 * @throws {RiskGateError} CONFIG_INVALID for a wrong option, and for a file that cannot be read or
 *   has the wrong content.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const resolved = resolveOptions(options);
  let loaded: Loaded | undefined = await load(resolved);
  let reloading: Promise<void> | undefined;

  const inUse = (): Loaded => {
    if (loaded === undefined) throw new RiskGateError("ABORTED", "the engine is closed");
    return loaded;
  };
  const reload = async (): Promise<void> => {
    const next = await load(resolved);
    inUse();
    loaded = next;
  };

  return {
    async lookupIp(ip, { signal } = {}) {
      refuseAborted(signal);
      return inUse().ips.assess(ip);
    },
    async lookupEmail(email, { signal } = {}) {
      refuseAborted(signal);
      return inUse().emails.assess(email);
    },
    peekIp: (ip) => peek(loaded?.ips, ip),
    peekEmail: (email) => peek(loaded?.emails, email),
    explainIp: (ip) => inUse().ips.explain(ip),
    explainEmail: (email) => inUse().emails.explain(email),
    feeds: () => inUse().feeds.map(withAge),
    async reload() {
      inUse();
      reloading ??= reload().finally(() => {
        reloading = undefined;
      });
      await reloading;
    },
    async close() {
      loaded = undefined;
      await reloading?.catch(() => {
        // The caller of the reload gets the error.
      });
    },
  };
}

/** Everything that a reload replaces. */
interface Loaded {
  readonly ips: IpAssessor;
  readonly emails: EmailAssessor;
  readonly feeds: readonly Omit<FeedInfo, "ageMs">[];
}

async function load(options: ResolvedOptions): Promise<Loaded> {
  const { allowedIps, ledger, weights } = options;
  const feeds = await Promise.all(options.feeds.map((feed) => Feed.read(feed)));
  const ipFeeds = await createIpFeeds(
    feeds.filter((feed) => !isDomainFeed(feed)),
    ({ version, words }) => allowedIps.marksAt(version, words) > 0,
  );
  const domains = await createDisposableDomains(feeds.filter(isDomainFeed), options.allowedDomains);
  const geo = options.geo ? await openGeo(options.geo) : NOWHERE;
  const loadedAtMs = Date.now();
  return {
    ips: createIpAssessor({ feeds: ipFeeds, geo, ledger, weights, loadedAtMs }),
    emails: createEmailAssessor({ domains, ledger, weights, loadedAtMs }),
    // Only now are the entries of every feed counted.
    feeds: feeds.map((feed) => feed.finish()),
  };
}

function withAge(info: Omit<FeedInfo, "ageMs">): FeedInfo {
  const { updatedAtMs } = info;
  if (updatedAtMs === undefined) return info;
  return { ...info, ageMs: Math.max(0, Date.now() - updatedAtMs) };
}

function peek<T>(
  assessor: { assess(id: string): T } | undefined,
  id: string,
): Scored<T> | undefined {
  if (assessor === undefined) return undefined;
  try {
    return { state: "scored", assessment: assessor.assess(id), source: "live" };
  } catch {
    // The lookup that follows gives the reason.
    return undefined;
  }
}

function isDomainFeed(feed: Feed): boolean {
  return feed.options.kind === "disposable";
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RiskGateError("ABORTED", "the caller's signal was aborted");
}

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
import type { Explanation, IpExplanation } from "./assess/explanation.js";
import { type LoadedFeed, withAge } from "./feeds/feed-age.js";
import { Feed } from "./feeds/feed.js";
import type { FeedInfo } from "./feeds/feed-options.js";
import type { AutonomousSystem } from "./geo/autonomous-system.js";
import { NOWHERE, openGeo } from "./geo/geo.js";
import type { Ledger, LedgerReader } from "./ledger/ledger.js";
import { createIpAssessor, type IpAssessor } from "./assess/ip-assessor.js";
import { createIpFeeds } from "./feeds/ip-feeds.js";
import { createMxCheck, type MxCheck } from "./mail/mx-check.js";
import { emailProblem, hostsIn } from "@riskgate/core/address";
import { warn } from "@riskgate/core/internal";

/**
 * Performs lookups in the process, without a network. Assessments contain addresses in normal form,
 * and emails exactly as requested. Once closed, lookups fail with `ABORTED` and peeks return
 * undefined.
 */
export interface Engine extends RiskLookup {
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED, ABORTED; all by rejection */
  lookupIp(ip: string, options?: LookupOptions): Promise<IpAssessment>;
  /** @throws {RiskGateError} INVALID_ARGUMENT, STORE_FAILED, ABORTED; all by rejection */
  lookupEmail(email: string, options?: LookupOptions): Promise<EmailAssessment>;
  /** Returns the assessment synchronously; undefined if the lookup would fail. */
  peekIp(ip: string): Scored<IpAssessment> | undefined;
  /** Returns the assessment synchronously; undefined if the lookup would fail. */
  peekEmail(email: string): Scored<EmailAssessment> | undefined;
  /** Returns the assessment with each signal. @throws {RiskGateError} as the lookup */
  explainIp(ip: string): IpExplanation;
  /** Returns the assessment with each signal. @throws {RiskGateError} as the lookup */
  explainEmail(email: string): Explanation<EmailAssessment>;
  /**
   * Returns the lookups of this engine with another ledger. They follow `reload`
   * and `close` of the engine.
   */
  withLedger(
    ledger: Omit<Ledger, "record">,
  ): Omit<Engine, "withLedger" | "asnOf" | "feeds" | "reload" | "close">;
  /**
   * Returns the autonomous system that announces an address, from the geo databases; undefined if
   * it is unknown, if the address is not public, or once the engine is closed.
   */
  asnOf(ip: string): AutonomousSystem | undefined;
  feeds(): readonly FeedInfo[];
  /**
   * Reloads every feed and geo database, then switches to all of them at once. Calls during a
   * reload share it. If it fails, the previous data stays in use.
   *
   * @throws {RiskGateError} CONFIG_INVALID, ABORTED
   */
  reload(): Promise<void>;
  /** Releases everything that was loaded. The ledger stays open, because the caller owns it. */
  close(): Promise<void>;
}

/**
 * Creates an engine and loads its sources.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option, or a file that cannot be read or
 * has the wrong content.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const resolved = resolveOptions(options);
  const mx = resolved.mx && createMxCheck(resolved.mx);
  let loaded: Loaded | undefined = await load(resolved, mx);
  let reloading: Promise<void> | undefined;

  const inUse = (): Loaded => {
    if (loaded === undefined) throw new RiskGateError("ABORTED", "the engine is closed");
    return loaded;
  };
  const reload = async (): Promise<void> => {
    const next = await load(resolved, mx);
    inUse();
    loaded = next;
  };

  const withLedger = (ledger?: LedgerReader): ReturnType<Engine["withLedger"]> => ({
    async lookupIp(ip, { signal } = {}) {
      refuseAborted(signal);
      return inUse().ips.assess(ip, ledger);
    },
    async lookupEmail(email, { signal, timeoutMs } = {}) {
      refuseAborted(signal);
      inUse();
      const domain = mx && domainToAsk(email);
      if (mx && domain !== undefined && !mx.peek(domain)) {
        // DNS gets only part of the caller's remaining time, so the other signals still arrive in
        // time.
        await unlessAborted(mx.ask(domain, (timeoutMs ?? Infinity) * DNS_SHARE), signal);
      }
      return inUse().emails.assess(email, ledger);
    },
    peekIp: (ip) => peek(loaded?.ips, ip, ledger),
    peekEmail(email) {
      const domain = mx && domainToAsk(email);
      // The lookup that follows queries DNS.
      if (domain !== undefined && !mx?.peek(domain)) return undefined;
      return peek(loaded?.emails, email, ledger);
    },
    explainIp: (ip) => inUse().ips.explain(ip, ledger),
    explainEmail: (email) => inUse().emails.explain(email, ledger),
  });

  return {
    ...withLedger(resolved.ledger),
    withLedger,
    asnOf: (ip) => loaded?.ips.asnOf(ip),
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
      mx?.close();
      await reloading?.catch(() => {
        // The caller of `reload` receives the error.
      });
    },
  };
}

/** Share of a caller's remaining time that DNS may take. */
const DNS_SHARE = 0.8;

interface Loaded {
  readonly ips: IpAssessor;
  readonly emails: EmailAssessor;
  readonly feeds: readonly LoadedFeed[];
}

async function load(options: ResolvedOptions, mx: MxCheck | undefined): Promise<Loaded> {
  const { allowedIps, weights } = options;
  const feeds = await Promise.all(options.feeds.map((feed) => Feed.read(feed)));
  const ipFeeds = await createIpFeeds(
    feeds.filter((feed) => !isDomainFeed(feed)),
    ({ version, words }) => allowedIps.marksAt(version, words) > 0,
  );
  const domains = await createDisposableDomains(feeds.filter(isDomainFeed), {
    allowed: options.allowedDomains,
    forwarding: options.forwarding,
  });
  const geo = options.geo ? await openGeo(options.geo) : NOWHERE;
  const loadedAtMs = Date.now();
  // Feeds have counted their entries only by now.
  const loaded = feeds.map((feed) => feed.finish());
  const isOfDomains = ({ kind }: LoadedFeed): boolean => kind === "disposable";
  const known = { weights, loadedAtMs };
  return {
    ips: createIpAssessor({
      ...known,
      feeds: ipFeeds,
      loaded: loaded.filter((feed) => !isOfDomains(feed)),
      geo,
      onNoData: options.isFeedless ? warnOfNoData : () => {},
    }),
    emails: createEmailAssessor({
      ...known,
      domains,
      loaded: loaded.filter(isOfDomains),
      mailStateOf: (domain) => mx?.peek(domain),
    }),
    feeds: loaded,
  };
}

function warnOfNoData(): void {
  warn(
    "RISKGATE_NO_ADDRESS_DATA",
    "the engine has no address data, so it scores every public address 0: set `feeds`, or `feeds: []` if that is intended",
  );
}

function peek<T>(
  assessor: { assess(id: string, ledger: LedgerReader | undefined): T } | undefined,
  id: string,
  ledger: LedgerReader | undefined,
): Scored<T> | undefined {
  if (assessor === undefined) return undefined;
  try {
    return { state: "scored", assessment: assessor.assess(id, ledger), source: "live" };
  } catch {
    // The lookup that follows reports the reason.
    return undefined;
  }
}

function isDomainFeed(feed: Feed): boolean {
  return feed.options.kind === "disposable";
}

/** Returns the domain of a valid email address; undefined for other text. */
function domainToAsk(email: string): string | undefined {
  if (emailProblem(email) !== undefined) return undefined;
  const [host] = hostsIn(email);
  return host?.startsWith("[") ? undefined : host;
}

/** @throws {RiskGateError} ABORTED, once the signal fires. */
async function unlessAborted(
  wait: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!signal) {
    await wait;
    return;
  }
  let stop = (): void => {};
  const aborted = new Promise<void>((resolve) => (stop = resolve));
  signal.addEventListener("abort", stop);
  await Promise.race([wait, aborted]);
  signal.removeEventListener("abort", stop);
  refuseAborted(signal);
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new RiskGateError("ABORTED", "the caller's signal was aborted");
}

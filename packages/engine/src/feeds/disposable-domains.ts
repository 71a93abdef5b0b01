import { normalizeDomain } from "@riskgate/core/address";
import { isForwardingDomain } from "@riskgate/core/internal";
import type { Feed } from "./feed.js";
import { PERMANENT_MAILBOXES } from "./permanent-mailboxes.js";
import { withPauses } from "./with-pauses.js";

export interface DisposableDomains {
  /** Returns the name of the list with one of an email's hosts or a parent of it, or undefined. */
  listOf(hosts: readonly string[]): string | undefined;
}

/** Name of the list shipped with the engine. */
const SHIPPED = "mailchecker";

/** How the engine can treat the domains of forwarding services. */
export const FORWARDING = ["allow", "disposable"] as const;

export type Forwarding = (typeof FORWARDING)[number];

export interface DisposableSettings {
  /** Domains in normal form, allowed with their subdomains. Default none. */
  readonly allowed?: ReadonlySet<string>;
  /** Default `allow`. */
  readonly forwarding?: Forwarding;
}

/**
 * Loads disposable domains. Allowed domains take precedence, then the setting for forwarding
 * services, then feeds, then the shipped list without its exceptions. In each, the longest matching
 * name decides.
 * @param brought The shipped list; default mailchecker's.
 */
export async function createDisposableDomains(
  feeds: readonly Feed[],
  { allowed, forwarding }: DisposableSettings = {},
  brought?: ReadonlySet<string>,
): Promise<DisposableDomains> {
  const shipped = brought ?? (await loadShipped());
  const fed = new Map<string, string>();
  for (const feed of feeds) await readDomains(feed, (domain) => fed.set(domain, feed.name));

  const listOfHost = (host: string): string | undefined => {
    let fromFeed: string | undefined;
    let fromShipped: string | undefined;
    for (let domain: string | undefined = host; domain; domain = domainAbove(domain)) {
      if (allowed?.has(domain)) return undefined;
      fromFeed ??= fed.get(domain);
      if (fromShipped === undefined && shipped.has(domain)) fromShipped = domain;
    }
    if (isForwardingDomain(host)) {
      return forwarding === "disposable" ? "forwarding services" : undefined;
    }
    if (fromFeed !== undefined || fromShipped === undefined) return fromFeed;
    return PERMANENT_MAILBOXES.has(fromShipped) ? undefined : SHIPPED;
  };

  return {
    listOf(hosts) {
      for (const host of hosts) {
        const list = listOfHost(host);
        if (list !== undefined) return list;
      }
      return undefined;
    },
  };
}

/**
 * Returns a domain without its first label; undefined at the top level, which no list may contain.
 */
export function domainAbove(domain: string): string | undefined {
  const above = domain.slice(domain.indexOf(".") + 1);
  return above.includes(".") ? above : undefined;
}

export function readDomains(feed: Feed, onDomain: (domain: string) => void): Promise<void> {
  return withPauses(feed.entries(), (entry) => {
    // Lists have several equivalent notations for a domain and its subdomains.
    const domain = normalizeDomain(entry.replace(/^(?:\*?\.|@)/, ""));
    if (domain === undefined) feed.skip();
    else onDomain(domain);
  });
}

/** Loads the list shipped with the engine on demand: it is 1 MB of source. */
export async function loadShipped(): Promise<ReadonlySet<string>> {
  const { default: mailchecker } = await import("mailchecker");
  return mailchecker.blacklist();
}

import { domainOfEmail, normalizeDomain } from "@riskgate/core/address";
import type { Feed } from "./feed.js";
import { PERMANENT_MAILBOXES } from "./permanent-mailboxes.js";
import { withPauses } from "./with-pauses.js";

/** Reports whether mailboxes are disposable. */
export interface DisposableDomains {
  /** Name of the list that holds the domain of an email or a domain above it, or undefined. */
  listOf(email: string): string | undefined;
}

/** Name of the list that comes with the engine. */
const SHIPPED = "mailchecker";

/**
 * Loads disposable domains.
 *
 * The operator's entries go before the shipped ones: first the domains allowed, then
 * the feeds, then the shipped list without its exceptions. In each the longest name decides.
 *
 * @param allowed Domains in their normal form; their sub-domains are allowed with them.
 * @param brought What is shipped; by default the list of mailchecker.
 */
export async function createDisposableDomains(
  feeds: readonly Feed[],
  allowed: ReadonlySet<string>,
  brought?: ReadonlySet<string>,
): Promise<DisposableDomains> {
  const shipped = brought ?? (await loadShipped());
  /** Name of the feed, by domain. */
  const fed = new Map<string, string>();
  for (const feed of feeds) await readDomains(feed, (domain) => fed.set(domain, feed.name));

  return {
    listOf(email) {
      let fromFeed: string | undefined;
      let fromShipped: string | undefined;
      for (let domain = domainOfEmail(email); domain !== undefined; domain = domainAbove(domain)) {
        if (allowed.has(domain)) return undefined;
        fromFeed ??= fed.get(domain);
        if (fromShipped === undefined && shipped.has(domain)) fromShipped = domain;
      }
      if (fromFeed !== undefined || fromShipped === undefined) return fromFeed;
      return PERMANENT_MAILBOXES.has(fromShipped) ? undefined : SHIPPED;
    },
  };
}

/** The domain without its first label; undefined for a top-level domain, which no list may hold. */
export function domainAbove(domain: string): string | undefined {
  const above = domain.slice(domain.indexOf(".") + 1);
  return above.includes(".") ? above : undefined;
}

/** Reads the domains of a feed in their normal form. */
export function readDomains(feed: Feed, onDomain: (domain: string) => void): Promise<void> {
  return withPauses(feed.entries(), (entry) => {
    // Lists write "this domain and what is below it" in several ways, all of which mean the same.
    const domain = normalizeDomain(entry.replace(/^(?:\*?\.|@)/, ""));
    if (domain === undefined) feed.skip();
    else onDomain(domain);
  });
}

/** The list that comes with the engine. It is loaded with the first one only: 1 MB of source. */
export async function loadShipped(): Promise<ReadonlySet<string>> {
  const { default: mailchecker } = await import("mailchecker");
  return mailchecker.blacklist();
}

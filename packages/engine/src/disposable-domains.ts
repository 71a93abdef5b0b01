import { setImmediate } from "node:timers/promises";
import { domainOfEmail, normalizeDomain } from "./domain-name.js";
import type { Feed } from "./feed.js";
import { PERMANENT_MAILBOXES } from "./permanent-mailboxes.js";

/** Answers whether mailboxes are disposable. */
export interface DisposableDomains {
  /** Name of the list that holds the domain of an email or a domain above it, or undefined. */
  listOf(email: string): string | undefined;
}

/** Name of the list that comes with the engine. */
const SHIPPED = "mailchecker";

/**
 * Compile disposable domains.
 *
 * What the operator says goes before what the engine brings along: first the domains allowed, then
 * the feeds, then the shipped exceptions and the shipped list, in which the longer name decides.
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
  const listed = await collectDomains(feeds);
  return {
    listOf(email) {
      const domain = domainOfEmail(email);
      if (domain === undefined) return undefined;
      let feed: string | undefined;
      let known: boolean | undefined;
      // From the name itself up to its last two labels: no list holds a whole top-level domain.
      let from = 0;
      for (let dot = domain.indexOf("."); dot >= 0; dot = domain.indexOf(".", from)) {
        const name = from === 0 ? domain : domain.slice(from);
        if (allowed.size > 0 && allowed.has(name)) return undefined;
        if (listed.size > 0) feed ??= listed.get(name);
        // What a feed says, a shipped name cannot change.
        if (feed === undefined && known === undefined && shipped.has(name)) {
          known = !PERMANENT_MAILBOXES.has(name);
        }
        const isDecided = feed !== undefined || (known !== undefined && listed.size === 0);
        if (isDecided && allowed.size === 0) break;
        from = dot + 1;
      }
      return feed ?? (known === true ? SHIPPED : undefined);
    },
  };
}

/** Domains between two pauses. */
const STRIDE = 4096;

/** The domains of feeds in their normal form, each with the name of the last feed that holds it. */
export async function collectDomains(feeds: readonly Feed[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let entries = 0;
  for (const feed of feeds) {
    for (const entry of feed.entries()) {
      // Lists write "this domain and what is below it" in several ways, all of which mean the same.
      const domain = normalizeDomain(entry.replace(/^(?:\*?\.|@)/, ""));
      if (domain === undefined) feed.skip();
      else names.set(domain, feed.name);
      // A list of a million must not keep the lookups waiting.
      if (++entries % STRIDE === 0) await setImmediate();
    }
  }
  return names;
}

/** Loaded with the first engine only: the list is 1 MB of source. */
async function loadShipped(): Promise<ReadonlySet<string>> {
  const { default: mailchecker } = await import("mailchecker");
  return mailchecker.blacklist();
}

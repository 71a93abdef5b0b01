import { setImmediate } from "node:timers/promises";
import { domainOfEmail, normalizeDomain } from "../identifier/domain-name.js";
import { DomainTable } from "./domain-table.js";
import type { Feed } from "./feed.js";
import { PERMANENT_MAILBOXES } from "./permanent-mailboxes.js";

/** Answers whether mailboxes are disposable. */
export interface DisposableDomains {
  /** Name of the list that holds the domain of an email or a domain above it, or undefined. */
  listOf(email: string): string | undefined;
}

/** Name of the list that comes with the engine. */
const SHIPPED = "mailchecker";

/** Marks of names; those of a feed are the higher the later it comes. */
const MARK = { permanent: 1, shipped: 2, firstFeed: 3, allowed: 0xffff_ffff } as const;

/**
 * Compile disposable domains; their names are not kept.
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
  const table = new DomainTable();
  await inTurns(brought ?? (await loadShipped()), (name) =>
    table.set(name, PERMANENT_MAILBOXES.has(name) ? MARK.permanent : MARK.shipped),
  );
  for (const [place, feed] of feeds.entries()) {
    await readDomains(feed, (name) => table.set(name, MARK.firstFeed + place));
  }
  for (const name of allowed) table.set(name, MARK.allowed);
  const names = [undefined, undefined, SHIPPED, ...feeds.map(({ name }) => name)];
  return {
    listOf(email) {
      const domain = domainOfEmail(email);
      return domain === undefined ? undefined : names[table.join(domain, decisive)];
    },
  };
}

/** Which of two marks decides, that of a domain or that of a longer name below it. */
function decisive(above: number, below: number): number {
  if (above === MARK.allowed) return above;
  return above >= MARK.firstFeed && below < MARK.firstFeed ? above : below;
}

/** Tell the domains of a feed in their normal form. */
export function readDomains(feed: Feed, tell: (domain: string) => void): Promise<void> {
  return inTurns(feed.entries(), (entry) => {
    // Lists write "this domain and what is below it" in several ways, all of which mean the same.
    const domain = normalizeDomain(entry.replace(/^(?:\*?\.|@)/, ""));
    if (domain === undefined) feed.skip();
    else tell(domain);
  });
}

/** Entries between two pauses. */
const STRIDE = 4096;

/** Take entries in turn with other work: a list of a million must not keep the lookups waiting. */
async function inTurns(entries: Iterable<string>, take: (entry: string) => void): Promise<void> {
  let taken = 0;
  for (const entry of entries) {
    take(entry);
    if (++taken % STRIDE === 0) await setImmediate();
  }
}

/** Loaded with the first engine only: the list is 1 MB of source. */
async function loadShipped(): Promise<ReadonlySet<string>> {
  const { default: mailchecker } = await import("mailchecker");
  return mailchecker.blacklist();
}

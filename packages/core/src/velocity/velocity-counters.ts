import { normalizeIp, parseIp } from "../address/ip-address.js";
import { hostsIn, isOverlong, isWithin, mailboxesIn } from "../address/mailbox.js";
import { isPublicAt } from "../address/special-purpose.js";
import type { VelocityFacts } from "../model/velocity.js";
import type { VelocitySubject } from "../model/velocity-reading.js";
import type { RegistrableDomain } from "./registrable-domain.js";

/** The texts that an event is counted by, for each subject. */
type SubjectTexts = Readonly<Record<VelocitySubject, readonly string[]>>;

/** An event as it is counted. */
export interface CountedEvent {
  readonly texts: SubjectTexts;
  /** The only mailbox that the email names, or the login name; undefined for any other text. */
  readonly account: string | undefined;
  /** The network of the address; empty without a public one. */
  readonly network: string;
  /** The email as it was spelled, but for letter case and the like; undefined without one. */
  readonly spelling: string | undefined;
}

/** How emails are counted by their domains. */
export interface DomainCounting {
  /** Returns true if anybody can have a mailbox at a domain. */
  readonly isLarge: (domain: string) => boolean;
  readonly registrableDomain: RegistrableDomain;
}

/** Most mailboxes of one email that are counted one by one. */
const MAX_MAILBOXES = 3;

/** The counter of emails that name more mailboxes; no mailbox begins with a blank. */
const SEVERAL = " several";

// Parsing is synchronous and never re-entered, so that one scratch serves every call.
const words = new Uint32Array(4);

/**
 * Reads the texts that an event is counted by. An address that is not globally reachable is not
 * counted: it is that of a proxy, and all visitors share it.
 */
export function countedEvent(
  { email, ip, asn, crossSite }: VelocityFacts,
  counting: DomainCounting,
): CountedEvent {
  const given = typeof email === "string" ? email.trim() : "";
  const text = given === "" || isOverlong(given) ? undefined : given;
  const [first, ...named] = text === undefined ? [] : mailboxesIn(text);
  const mailboxes = named.length > 0 ? named : first === undefined ? [] : [first];
  const isFew = mailboxes.length <= MAX_MAILBOXES;
  const version = typeof ip === "string" && ip.length <= 64 ? parseIp(ip, words) : 0;
  const isPublic = version !== 0 && isPublicAt(version, words);
  const [high, low] = words as unknown as [number, number];
  const ipv4_24 = isPublic && version === 4 ? (high >>> 8).toString(16) : undefined;
  const ipv6_64 = isPublic && version === 6 ? networkOf(high, low) : undefined;
  // A page of another site can make a visitor's browser send the request, and a script can claim so.
  const ofNetwork = (one: string | undefined): readonly string[] =>
    one === undefined ? [] : [crossSite ? `${one} cross-site` : one];
  return {
    texts: {
      mailbox: isFew ? mailboxes : [SEVERAL],
      address: ofNetwork(isPublic ? normalizeIp(ip) : undefined),
      ipv4_24: ofNetwork(ipv4_24),
      ipv6_64: ofNetwork(ipv6_64),
      domain: text !== undefined && isFew ? domainsOf(text, counting) : [],
      asn: ofNetwork(typeof asn === "number" ? String(asn) : undefined),
    },
    account: mailboxes.length === 1 ? first : undefined,
    network: ipv4_24 ?? ipv6_64 ?? "",
    // Without the rules of mail providers: each alias is one more spelling of its mailbox.
    spelling: text === undefined || first === text ? text : mailboxesIn(text, false)[0],
  };
}

/** Returns the registrable domains and networks at which an email has its mailboxes. */
function domainsOf(email: string, { isLarge, registrableDomain }: DomainCounting): string[] {
  const domains = hostsIn(email).flatMap((host) => {
    if (isWithin(host, { has: isLarge })) return [];
    if (!host.startsWith("[")) {
      const found = registrableDomain(host);
      return [typeof found === "string" ? found : host];
    }
    const isV6 = parseIp(host.replace(/^\[(?:ipv6:)?|\]$/g, ""), words) === 6;
    // A network of one connection has any number of addresses.
    return [isV6 ? `[${networkOf(words[0]!, words[1]!)}]` : host];
  });
  return [...new Set(domains)];
}

function networkOf(high: number, low: number): string {
  return `${high.toString(16)}:${low.toString(16)}`;
}

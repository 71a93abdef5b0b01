import { destinationOf } from "../address/host-address.js";
import { parseIp } from "../address/ip-address.js";
import { hostsIn, isOverlong, isWithin, mailboxesIn } from "../address/mailbox.js";
import { isPublicAt } from "../address/special-purpose.js";
import type { VelocityFacts } from "../model/velocity.js";
import type { VelocityKey, VelocitySubject } from "../model/velocity-reading.js";
import type { RegistrableDomain } from "./registrable-domain.js";
import type { VelocityKeys } from "./velocity-keys.js";

/** The texts by which an event is counted, for each subject. */
type SubjectTexts = Readonly<
  Record<VelocitySubject, readonly string[]> & Record<VelocityKey, readonly string[]>
>;

export interface CountedEvent {
  readonly texts: SubjectTexts;
  /** The only mailbox that the email names, or the login name; undefined for any other text. */
  readonly account: string | undefined;
  /** The network of the address; empty if the address is not public. */
  readonly network: string;
  /** The email as spelled, except for letter case and similar; undefined without one. */
  readonly spelling: string | undefined;
}

export interface DomainCounting {
  readonly isLarge: (domain: string) => boolean;
  readonly registrableDomain: RegistrableDomain;
  readonly keys: VelocityKeys | undefined;
}

/** Maximum number of mailboxes in one email that are counted individually. */
const MAX_MAILBOXES = 3;

/** The counter of emails that name more mailboxes; no mailbox begins with a space. */
const SEVERAL = " several";

// Parsing is synchronous and never re-entered, so every call can share this buffer.
const words = new Uint32Array(4);

/**
 * Returns the texts by which an event is counted. An address that is not globally reachable is not
 * counted: it belongs to a proxy, and all visitors share it.
 */
export function countedEvent(
  { email, ip, asn, crossSite, keys }: VelocityFacts,
  counting: DomainCounting,
): CountedEvent {
  const given = typeof email === "string" ? email.trim() : "";
  const text = given === "" || isOverlong(given) ? undefined : given;
  const [first, ...named] = text === undefined ? [] : mailboxesIn(text);
  const mailboxes = named.length > 0 ? named : first === undefined ? [] : [first];
  const isFew = mailboxes.length <= MAX_MAILBOXES;
  const address = destinationOf(ip);
  const version = address === undefined ? 0 : parseIp(address, words);
  const isPublic = version !== 0 && isPublicAt(version, words);
  const [high, low] = words as unknown as [number, number];
  const ipv4_24 = isPublic && version === 4 ? (high >>> 8).toString(16) : undefined;
  const ipv6_64 = isPublic && version === 6 ? networkOf(high, low) : undefined;
  // A page of another site can make a visitor's browser send the request, and a script can imitate
  // one.
  const ofNetwork = (one: string | undefined): readonly string[] =>
    one === undefined ? [] : [crossSite ? `${one} cross-site` : one];
  const counted = isFew ? mailboxes : [SEVERAL];
  return {
    texts: {
      ...(keys && counting.keys?.textsOf(keys)),
      mailbox: counted,
      mailbox_day: counted,
      address: ofNetwork(isPublic ? address : undefined),
      ipv4_24: ofNetwork(ipv4_24),
      ipv6_64: ofNetwork(ipv6_64),
      domain: text !== undefined && isFew ? domainsOf(text, counting) : [],
      asn: ofNetwork(typeof asn === "number" ? String(asn) : undefined),
    },
    account: mailboxes.length === 1 ? first : undefined,
    network: ipv4_24 ?? ipv6_64 ?? "",
    // Without mail-provider rules: each alias is another spelling of its mailbox.
    spelling: text === undefined || first === text ? text : mailboxesIn(text, false)[0],
  };
}

/** Returns the registrable domains and networks of an email's mailboxes. */
function domainsOf(email: string, { isLarge, registrableDomain }: DomainCounting): string[] {
  const domains = hostsIn(email).flatMap((host) => {
    if (isWithin(host, { has: isLarge })) return [];
    if (!host.startsWith("[")) {
      const found = registrableDomain(host);
      return [typeof found === "string" ? found : host];
    }
    const isV6 = parseIp(host.replace(/^\[(?:ipv6:)?|\]$/g, ""), words) === 6;
    // An IPv6 connection's network contains any number of addresses.
    return [isV6 ? `[${networkOf(words[0]!, words[1]!)}]` : host];
  });
  return [...new Set(domains)];
}

function networkOf(high: number, low: number): string {
  return `${high.toString(16)}:${low.toString(16)}`;
}

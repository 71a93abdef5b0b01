import { normalizeDomain } from "../address/domain-name.js";
import { normalizeIp, parseIp } from "../address/ip-address.js";
import { isOverlong, mailboxOf } from "../address/mailbox.js";
import { isPublicAt } from "../address/special-purpose.js";
import type { VelocityFacts } from "../model/velocity.js";
import type { VelocitySubject } from "../model/velocity-reading.js";

/** The text that an event is counted by, for each subject; undefined if the event has none. */
type SubjectTexts = Readonly<Record<VelocitySubject, string | undefined>>;

/** An event as it is counted. */
export interface CountedEvent {
  readonly texts: SubjectTexts;
  /** The address as it was spelled, but for letter case and the like; undefined without one. */
  readonly spelling: string | undefined;
}

// Parsing is synchronous and never re-entered, so that one scratch serves every call.
const words = new Uint32Array(4);

/**
 * Reads the texts that an event is counted by. An address that is not globally reachable is not
 * counted: it is that of a proxy, and all visitors share it.
 *
 * @param isLargeProvider Returns true if anybody can have a mailbox at a domain.
 */
export function countedEvent(
  { email, ip, asn }: VelocityFacts,
  isLargeProvider: (domain: string) => boolean,
): CountedEvent {
  const address = textOf(email);
  const mailbox = address === undefined ? undefined : mailboxOf(address);
  const domain = mailbox === undefined ? undefined : domainIn(mailbox);
  const version = typeof ip === "string" && ip.length <= 64 ? parseIp(ip, words) : 0;
  const isPublic = version !== 0 && isPublicAt(version, words);
  const [first, second] = words as unknown as [number, number];
  return {
    texts: {
      mailbox,
      address: isPublic ? normalizeIp(ip) : undefined,
      ipv4_24: isPublic && version === 4 ? (first >>> 8).toString(16) : undefined,
      ipv6_64:
        isPublic && version === 6 ? `${first.toString(16)}:${second.toString(16)}` : undefined,
      domain: domain !== undefined && !isLargeProvider(domain) ? domain : undefined,
      asn: typeof asn === "number" ? String(asn) : undefined,
    },
    // Without the rules of mail providers: each alias is one more spelling of its mailbox.
    spelling: address === undefined || mailbox === address ? address : mailboxOf(address, false),
  };
}

/** Returns the text that may name a mailbox, without the blanks around it, which handlers drop. */
function textOf(email: unknown): string | undefined {
  const text = typeof email === "string" ? email.trim() : "";
  return text === "" || isOverlong(text) ? undefined : text;
}

/** Returns the domain of a mailbox in its normal form; undefined for any other text. */
function domainIn(mailbox: string): string | undefined {
  const at = mailbox.lastIndexOf("@");
  return at < 0 ? undefined : normalizeDomain(mailbox.slice(at + 1));
}

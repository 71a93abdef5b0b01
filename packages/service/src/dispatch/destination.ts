import { networkInterfaces } from "node:os";
import { createIpTable, isPublicIp, normalizeIp, parseIp } from "@riskgate/core/address";

/** Longest URL that an endpoint can have. A choice of ours. */
const MAX_URL_LENGTH = 2048;

/**
 * Tell what is wrong with the URL of an endpoint, or nothing. Judges the text alone: where the
 * connection goes is judged each time it is made.
 *
 * @returns What was expected, to follow "must be"; undefined when the URL can be used.
 */
export function destinationProblem(given: unknown): string | undefined {
  if (typeof given !== "string") return "a string";
  if (given.length > MAX_URL_LENGTH) return `at most ${MAX_URL_LENGTH} characters long`;
  // The URL parser repairs blanks, backslashes and missing hosts; what is stored shall mean one thing.
  if (/[\s\\\p{Cc}]/u.test(given)) return "without blanks, control characters and backslashes";
  const authority = /^https?:\/\/([^/?#]*)/i.exec(given)?.[1];
  if (authority === undefined) return "an absolute address that begins with https:// or http://";
  if (authority.includes("@")) return "without user and password";
  if (given.includes("#")) return "without a fragment";
  if (authority === "" || !URL.canParse(given)) return "an address with a host";
  return undefined;
}

/** Address and port that this process listens on. */
export interface Listener {
  readonly address: string;
  readonly port: number;
}

/** Tells whether a connection to an IP address may be opened. */
export type DestinationRule = (ip: string, port: number) => boolean;

/**
 * Make the rule for one endpoint: public addresses, and the networks that the operator allows, but
 * never this process itself.
 *
 * @param allowed Addresses and CIDRs; what is no network allows nothing.
 * @param listeners Where this process listens at the moment.
 */
export function createDestinationRule(
  allowed: readonly string[],
  listeners: () => readonly Listener[] = () => [],
): DestinationRule {
  const table = createIpTable(allowed.map((cidr) => [cidr, 1] as const));
  return (given, port) => {
    const ip = normalizeIp(given);
    if (ip === undefined) return false;
    const real = translatedIpv4(ip) ?? ip;
    if (listeners().some((listener) => reaches(real, port, listener))) return false;
    return table.marksOf(real) > 0 || isReachable(real);
  };
}

const words = new Uint32Array(4);

/** The IPv4 address that a gateway turns an address of 64:ff9b::/96 into. Source: RFC 6052. */
function translatedIpv4(ip: string): string | undefined {
  if (parseIp(ip, words) !== 6) return undefined;
  if (words[0] !== 0x64ff9b || words[1] !== 0 || words[2] !== 0) return undefined;
  const value = words[3]!;
  return [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join(".");
}

function isReachable(ip: string): boolean {
  // Outside 2000::/3 no IPv6 address is assigned to anybody; old embeddings of IPv4 lie there.
  if (parseIp(ip, words) === 6 && words[0]! >>> 29 !== 1) return false;
  return isPublicIp(ip);
}

const UNSPECIFIED: readonly string[] = ["0.0.0.0", "::"];

function reaches(ip: string, port: number, listener: Listener): boolean {
  if (listener.port !== port) return false;
  // The system takes the unspecified address for this machine.
  if (UNSPECIFIED.includes(ip) || normalizeIp(listener.address) === ip) return true;
  return UNSPECIFIED.includes(listener.address) && isThisMachine(ip);
}

function isThisMachine(ip: string): boolean {
  if (ip === "::1" || ip.startsWith("127.")) return true;
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => normalizeIp(address) === ip),
  );
}

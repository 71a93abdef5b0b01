import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";

/** Longest URL that an endpoint can have, in characters. A choice of ours. */
const MAX_URL_LENGTH = 2048;

/**
 * Checks the URL of an endpoint: only the text, because its addresses are checked each
 * time one is opened.
 *
 * @returns What was expected, to follow "must be"; undefined for a URL that can be used.
 */
export function endpointUrlProblem(given: unknown): string | undefined {
  if (typeof given !== "string") return "a string";
  if (given.length > MAX_URL_LENGTH) return `at most ${MAX_URL_LENGTH} characters long`;
  // The URL parser repairs blanks, backslashes and missing hosts; the stored URL has one meaning.
  if (/[\s\\\p{Cc}]/u.test(given)) return "without blanks, control characters and backslashes";
  const authority = /^https?:\/\/([^/?#]*)/i.exec(given)?.[1];
  if (authority === undefined) return "an absolute address that begins with https:// or http://";
  if (authority.includes("@")) return "without user and password";
  if (given.includes("#")) return "without a fragment";
  if (authority === "" || !URL.canParse(given)) return "an address with a host";
  return undefined;
}

/** The URL of an endpoint, parsed once for all attempts. */
export interface EndpointUrl {
  readonly protocol: string;
  /** As in the `Host` header: without the default port. */
  readonly host: string;
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  /** The host is an IP address, to which a connection is opened without a lookup. */
  readonly isAddress: boolean;
}

/**
 * Parses the URL of an endpoint.
 *
 * @returns Undefined for any other value than an HTTP URL; only a change of the database by hand can have
 *   stored one, see {@link endpointUrlProblem}.
 */
export function parseEndpointUrl(url: string): EndpointUrl | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  const { protocol, hostname, port, path } = urlToHttpOptions(parsed);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  return {
    protocol,
    host: parsed.host,
    hostname: hostname!,
    port: Number(port) || (protocol === "https:" ? 443 : 80),
    path: path!,
    isAddress: isIP(hostname!) !== 0,
  };
}

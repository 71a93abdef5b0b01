import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";

/** Maximum length of an endpoint URL, in characters. Not from the specification. */
const MAX_URL_LENGTH = 2048;

/**
 * Checks the text of an endpoint URL. Its addresses are checked each time a connection is opened.
 *
 * @returns The expectation, to follow "must be"; undefined for a usable URL.
 */
export function endpointUrlProblem(given: unknown): string | undefined {
  if (typeof given !== "string") return "a string";
  if (given.length > MAX_URL_LENGTH) return `at most ${MAX_URL_LENGTH} characters long`;
  // The URL parser repairs blanks, backslashes and missing hosts; a stored URL must be unambiguous.
  if (/[\s\\\p{Cc}]/u.test(given)) return "without blanks, control characters and backslashes";
  const authority = /^https?:\/\/([^/?#]*)/i.exec(given)?.[1];
  if (authority === undefined) return "an absolute URL that begins with https:// or http://";
  if (authority.includes("@")) return "without a user name and password";
  if (given.includes("#")) return "without a fragment";
  if (authority === "" || !URL.canParse(given)) return "a URL with a host";
  return undefined;
}

/** An endpoint URL, parsed once for all attempts. */
export interface EndpointUrl {
  readonly protocol: string;
  /** Value for the `Host` header: without the default port. */
  readonly host: string;
  /** Host name, without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  readonly path: string;
  /** True if the host is an IP address, which needs no DNS lookup. */
  readonly isAddress: boolean;
}

/**
 * Parses an endpoint URL.
 *
 * @returns Undefined if the text is not an HTTP URL, which only a manual change to the database can
 *   cause; see {@link endpointUrlProblem}.
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

import { isIP } from "node:net";
import { urlToHttpOptions } from "node:url";

/** Where an endpoint is: its URL, taken apart once for all attempts. */
export interface Target {
  readonly protocol: string;
  /** As the header has it: without the usual port. */
  readonly host: string;
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** With the query. */
  readonly path: string;
  /** Whether the host is an address, which is connected to without a lookup. */
  readonly isAddress: boolean;
}

/**
 * Take the URL of an endpoint apart, see `destinationProblem`.
 *
 * @returns Undefined for what is no URL, which only other means than the checked ones can have stored.
 */
export function targetOf(url: string): Target | undefined {
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

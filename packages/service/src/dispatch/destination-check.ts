import { limitTime } from "@riskgate/core/internal";
import type { Resolve } from "@riskgate/core/address";
import { createDestinationRule, type Listener } from "./destination-rule.js";
import { parseEndpointUrl } from "./endpoint-url.js";

/** How long setting a URL waits for the DNS server. */
const RESOLVE_MS = 2_000;

/**
 * Finds a blocked address that would currently make every delivery to a URL fail. Undefined if
 * deliveries can be sent or the host does not resolve yet.
 *
 * @param allowed Addresses and CIDRs, as the application has them.
 */
export type DestinationCheck = (
  url: string,
  allowed: readonly string[],
) => Promise<string | undefined>;

/**
 * Creates the check that runs when a URL is set. It only gives the operator early feedback; the actual
 * protection is the destination rule, which is applied each time a connection is opened.
 */
export function createDestinationCheck(
  resolve: Resolve,
  listeners: () => readonly Listener[],
): DestinationCheck {
  return async (url, allowed) => {
    const endpoint = parseEndpointUrl(url);
    if (!endpoint) return undefined;
    const { hostname, port, isAddress } = endpoint;
    const isPermitted = createDestinationRule(allowed, listeners);
    const addresses = isAddress ? [hostname] : await addressesOf(hostname, resolve);
    return addresses.some((ip) => isPermitted(ip, port)) ? undefined : addresses[0];
  };
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    const found = await limitTime(resolve(hostname), RESOLVE_MS);
    return found.map(({ address }) => address);
  } catch {
    // The host name may be registered later.
    return [];
  }
}

import { limitTime } from "@riskgate/core/internal";
import type { Resolve } from "@riskgate/core/address";
import { createDestinationRule, type Listener } from "./destination-rule.js";
import { parseEndpointUrl } from "./endpoint-url.js";

/** How long whoever sets a URL waits for a name server. */
const RESOLVE_MS = 2_000;

/**
 * Finds an address because of which every delivery to a URL would be refused now. Undefined if a
 * delivery can be sent, or the host is not known yet.
 *
 * @param allowed Addresses and CIDRs, as the application has them.
 */
export type DestinationCheck = (
  url: string,
  allowed: readonly string[],
) => Promise<string | undefined>;

/**
 * Makes the check for the moment when a URL is set. It spares the operator a look into the delivery
 * log; what protects is the rule, which is asked each time a connection is opened.
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
    // The host may come into being later.
    return [];
  }
}

import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** Resolves a host name to its addresses. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Error code for a host without a permitted address. */
export const DESTINATION_BLOCKED = "DESTINATION_BLOCKED";

/**
 * Creates a `lookup` function for connections that returns permitted addresses only. The connection
 * is opened to exactly these addresses, so DNS rebinding cannot bypass the check.
 */
export function guardedLookup(
  resolve: Resolve,
  isPermitted: (ip: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const permitted = addresses.filter(({ address }) => isPermitted(address));
        const [first] = permitted;
        if (!first) callback(blockedError(), "", 0);
        else if (options.all) callback(null, permitted);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}

function blockedError(): NodeJS.ErrnoException {
  return Object.assign(new Error("no address of the host is public or allowed"), {
    code: DESTINATION_BLOCKED,
  });
}

/**
 * Creates a resolver that uses the system resolver. Concurrent lookups of a name share one call:
 * the thread pool is small, and a name server that hangs must not block all of it.
 */
export function createSystemResolve(): Resolve {
  const pending = new Map<string, Promise<readonly LookupAddress[]>>();
  return (hostname) => {
    let answer = pending.get(hostname);
    if (!answer) {
      answer = new Promise<readonly LookupAddress[]>((resolve, reject) => {
        lookup(hostname, { all: true }, (error, addresses) => {
          pending.delete(hostname);
          if (error) reject(error);
          else resolve(addresses);
        });
      });
      pending.set(hostname, answer);
    }
    return answer;
  };
}

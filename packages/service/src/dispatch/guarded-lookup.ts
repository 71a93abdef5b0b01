import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** Finds the addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Code of the error for a host that has no address a connection may be opened to. */
export const DESTINATION_BLOCKED = "DESTINATION_BLOCKED";

/**
 * Make the `lookup` of a connection. It hands out permitted addresses only, and the connection is
 * opened to what it hands out, so that a name whose answer changes cannot slip through.
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
 * Ask the system. One question about a name is asked at a time: the threads that wait for answers
 * are few, and a name server that hangs must not take them all.
 */
export function createSystemResolve(): Resolve {
  const asked = new Map<string, Promise<readonly LookupAddress[]>>();
  return (hostname) => {
    let answer = asked.get(hostname);
    if (!answer) {
      answer = new Promise<readonly LookupAddress[]>((resolve, reject) => {
        lookup(hostname, { all: true }, (error, addresses) => {
          asked.delete(hostname);
          if (error) reject(error);
          else resolve(addresses);
        });
      });
      asked.set(hostname, answer);
    }
    return answer;
  };
}

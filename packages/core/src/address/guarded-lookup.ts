import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";

/** Finds the addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Code of the error for a host that has no permitted address. */
export const DESTINATION_BLOCKED = "DESTINATION_BLOCKED";

/**
 * Makes the `lookup` of a connection, which returns permitted addresses only. The connection is
 * opened to exactly these, so that a name whose addresses change cannot get around the rule.
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
 * Makes the resolver of the system. It looks a name up once at a time: the threads that wait for
 * answers are few, and a name server that hangs must not block them all.
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

import type { Application, Applications } from "../storage/applications.js";
import { hashApiKey } from "../storage/credentials.js";

/** Tells whose key a request carries. */
export interface Authenticator {
  /** The application of a key that was used before, at once; undefined when it must be looked up. */
  peek(hash: string): Application | undefined;
  /** The application of a key, or undefined when the key is not valid. */
  find(hash: string): Promise<Application | undefined>;
  /** Ask the storage anew from now on: keys or applications have changed. */
  forget(): void;
}

/** Keys that are remembered; the others are looked up each time. */
const MAX_KEYS = 10_000;

/** Most characters of a header value that could be a key of ours. */
const MAX_KEY_LENGTH = 256;

/** Hash of the key in a header, or undefined where that can be no key. */
export function keyHashOf(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== "string" || header === "" || header.length > MAX_KEY_LENGTH)
    return undefined;
  return hashApiKey(header);
}

/** Find applications by their keys. Only hashes are compared and kept, and only of valid keys. */
export function createAuthenticator(
  applications: Pick<Applications, "findByKeyHash">,
): Authenticator {
  let known = new Map<string, Application>();
  return {
    peek: (hash) => known.get(hash),
    async find(hash) {
      // What was read before a change must not be remembered after it.
      const current = known;
      const application = await applications.findByKeyHash(hash);
      if (application && current.size < MAX_KEYS) current.set(hash, application);
      return application;
    },
    forget() {
      known = new Map();
    },
  };
}

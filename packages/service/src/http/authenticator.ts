import type { Application, Applications } from "../storage/applications.js";
import { hashApiKey } from "../storage/credentials.js";

/** Tells whose key a request carries. */
export interface Authenticator {
  /**
   * The application of a key, or undefined when the key is not valid; at once for a key that was used
   * before.
   *
   * @param connection What the request came over.
   * @param header Value of the header with the key.
   */
  authenticate(
    connection: object,
    header: string | readonly string[] | undefined,
  ): Application | undefined | Promise<Application | undefined>;
  /** Ask the storage anew from now on: keys or applications have changed. */
  forget(): void;
}

/** What is remembered until the next change. */
interface Memory {
  /** Applications by the hashes of valid keys. */
  readonly hashes: Map<string, Application>;
  /** The key that a connection showed last: the next request on it need not be hashed again. */
  readonly connections: WeakMap<
    object,
    { readonly key: string; readonly application: Application }
  >;
}

/** Keys that are remembered; the others are looked up each time. */
const MAX_KEYS = 10_000;

/** Most characters of a header value that could be a key of ours. */
const MAX_KEY_LENGTH = 256;

/** Find applications by their keys. Only hashes are compared with those of others. */
export function createAuthenticator(
  applications: Pick<Applications, "findByKeyHash">,
): Authenticator {
  let memory: Memory = { hashes: new Map(), connections: new WeakMap() };

  const find = async (
    hash: string,
    connection: object,
    key: string,
  ): Promise<Application | undefined> => {
    // What was read before a change must not be remembered after it.
    const { hashes, connections } = memory;
    const application = await applications.findByKeyHash(hash);
    if (!application) return undefined;
    if (hashes.size < MAX_KEYS) hashes.set(hash, application);
    connections.set(connection, { key, application });
    return application;
  };

  return {
    authenticate(connection, key) {
      if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH) return undefined;
      const shown = memory.connections.get(connection);
      if (shown?.key === key) return shown.application;
      const hash = hashApiKey(key);
      const application = memory.hashes.get(hash);
      if (!application) return find(hash, connection, key);
      memory.connections.set(connection, { key, application });
      return application;
    },
    forget() {
      memory = { hashes: new Map(), connections: new WeakMap() };
    },
  };
}

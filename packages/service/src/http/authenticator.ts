import type { Application, Applications } from "../storage/applications.js";
import { hashApiKey } from "../storage/api-keys.js";
import type { KeyScope } from "../storage/schema.js";
import { inBatches } from "./in-batches.js";

/** Finds the application whose key a request carries. */
export interface Authenticator {
  /**
   * The application of a key, or undefined when the key is not valid; without a promise for a key
   * that was used before.
   *
   * @param connection The connection of the request.
   * @param header Value of the header with the key.
   */
  authenticate(
    connection: object,
    header: string | readonly string[] | undefined,
  ): Application | undefined | Promise<Application | undefined>;
  /**
   * Reads anew what it remembers: keys or applications have changed. Until that is read it goes by
   * what it remembers, also where it cannot be read.
   */
  refresh(): Promise<void>;
  /** Forgets everything, so that each key is looked up anew. */
  forget(): void;
}

/** What is remembered, as of one moment. */
interface Memory {
  /** Applications by the hashes of valid keys. */
  readonly hashes: Map<string, Application>;
  /** The last key of each connection: its next request need not be hashed. */
  readonly connections: WeakMap<
    object,
    { readonly key: string; readonly application: Application }
  >;
}

/** Number of keys that are remembered; others are looked up each time. */
const MAX_KEYS = 10_000;

/** Longest header value that is looked up as a key, in characters. */
const MAX_KEY_LENGTH = 256;

/** Makes an authenticator for keys of one scope. Only hashes of keys are compared with those in the storage. */
export function createAuthenticator(
  applications: Pick<Applications, "findByKeyHashes">,
  scope: KeyScope,
): Authenticator {
  let memory = memoryOf();
  let refreshes = 0;
  // Anyone can send keys: however many come, they take up one statement at a time.
  const findKey = inBatches((hashes) => applications.findByKeyHashes(hashes, scope));

  const find = async (
    hash: string,
    connection: object,
    key: string,
  ): Promise<Application | undefined> => {
    // An answer from before a change must not be remembered after it.
    const { hashes, connections } = memory;
    const application = await findKey(hash);
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
    async refresh() {
      const refresh = ++refreshes;
      const found = await applications.findByKeyHashes([...memory.hashes.keys()], scope);
      // One that began later knows more.
      if (refresh === refreshes) memory = memoryOf(found);
    },
    forget() {
      memory = memoryOf();
    },
  };
}

function memoryOf(hashes?: ReadonlyMap<string, Application>): Memory {
  return { hashes: new Map(hashes), connections: new WeakMap() };
}

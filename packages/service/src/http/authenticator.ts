import type { Applications, KeyHolder } from "../storage/application-store.js";
import { hashApiKey } from "../storage/api-keys.js";
import type { KeyScope } from "../model/application.js";
import { inBatches } from "../base/batched-query.js";

export interface Authenticator {
  /**
   * Returns the application of a key, or undefined if the key is not valid. If the key was used
   * before, the result is not a promise.
   *
   * @param connection The connection of the request.
   * @param header Value of the key header.
   */
  authenticate(
    connection: object,
    header: string | readonly string[] | undefined,
  ): KeyHolder | undefined | Promise<KeyHolder | undefined>;
  /**
   * Reloads the cached keys after keys or applications changed. Until that succeeds, the old cache
   * remains in use.
   */
  refresh(): Promise<void>;
  /** Empties the cache, so that each key is looked up again. */
  forget(): void;
}

interface Known {
  readonly application: KeyHolder;
  readonly asOf: number;
}

/** A cache of valid keys; every entry is at least as new as the last loaded change. */
interface Memory {
  readonly asOf: number;
  readonly hashes: Map<string, Known>;
  /** The last key of each connection, so that its next request is not hashed. */
  readonly connections: WeakMap<object, { readonly key: string; readonly application: KeyHolder }>;
}

const MAX_KEYS = 10_000;

/** Maximum length of a header value that is looked up as a key, in characters. */
const MAX_KEY_LENGTH = 256;

/** Creates an authenticator for keys of one scope. The storage contains only key hashes. */
export function createAuthenticator(
  applications: Pick<Applications, "findByKeyHashes">,
  scope: KeyScope,
): Authenticator {
  let changes = 0;
  let memory = memoryOf(changes);
  const underWay = new Set<string>();
  // Anyone can send keys, so all lookups share one statement at a time.
  const findKey = inBatches((hashes) => applications.findByKeyHashes(hashes, scope));

  const find = async (
    hash: string,
    connection: object,
    key: string,
  ): Promise<KeyHolder | undefined> => {
    const asOf = changes;
    underWay.add(hash);
    try {
      const application = await findKey(hash);
      // A result from before a change must not be cached after it.
      if (!application || asOf < memory.asOf) return application;
      if (memory.hashes.size < MAX_KEYS) memory.hashes.set(hash, { application, asOf });
      memory.connections.set(connection, { key, application });
      return application;
    } finally {
      underWay.delete(hash);
    }
  };

  return {
    authenticate(connection, key) {
      if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH) return undefined;
      const shown = memory.connections.get(connection);
      if (shown?.key === key) return shown.application;
      const hash = hashApiKey(key);
      const known = memory.hashes.get(hash);
      if (!known) return find(hash, connection, key);
      memory.connections.set(connection, { key, application: known.application });
      return known.application;
    },
    async refresh() {
      const asOf = ++changes;
      const hashes = new Set([...memory.hashes.keys(), ...underWay]);
      const found = await applications.findByKeyHashes([...hashes], scope);
      if (asOf < memory.asOf) return;
      const next = memoryOf(asOf);
      for (const [hash, application] of found) next.hashes.set(hash, { application, asOf });
      for (const [hash, known] of memory.hashes) {
        if (known.asOf >= asOf) next.hashes.set(hash, known);
      }
      memory = next;
    },
    forget() {
      memory = memoryOf(++changes);
    },
  };
}

function memoryOf(asOf: number): Memory {
  return { asOf, hashes: new Map(), connections: new WeakMap() };
}

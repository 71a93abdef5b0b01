import type { Applications } from "../storage/application-store.js";
import type { Application } from "../model/application.js";
import { hashApiKey } from "../storage/api-keys.js";
import type { KeyScope } from "../model/application.js";
import { inBatches } from "./batched-query.js";

/** Finds the application of the key in a request. */
export interface Authenticator {
  /**
   * Returns the application of a key, or undefined if the key is not valid; without a promise for a
   * key that was used before.
   *
   * @param connection The connection of the request.
   * @param header Value of the header with the key.
   */
  authenticate(
    connection: object,
    header: string | readonly string[] | undefined,
  ): Application | undefined | Promise<Application | undefined>;
  /**
   * Reloads its memory after keys or applications changed. Until that succeeds, the old memory
   * decides.
   */
  refresh(): Promise<void>;
  /** Empties its memory, so that each key is looked up again. */
  forget(): void;
}

/** An application as of a number of changes. */
interface Known {
  readonly application: Application;
  readonly asOf: number;
}

/** Valid keys; every entry is at least as new as the last change that was loaded. */
interface Memory {
  readonly asOf: number;
  /** By the hash of the key. */
  readonly hashes: Map<string, Known>;
  /** The last key of each connection, so that its next request is not hashed. */
  readonly connections: WeakMap<
    object,
    { readonly key: string; readonly application: Application }
  >;
}

/** Number of keys in memory; others are looked up each time. */
const MAX_KEYS = 10_000;

/** Longest header value that is looked up as a key, in characters. */
const MAX_KEY_LENGTH = 256;

/** Creates an authenticator for keys of one scope. The storage has only hashes of keys. */
export function createAuthenticator(
  applications: Pick<Applications, "findByKeyHashes">,
  scope: KeyScope,
): Authenticator {
  let changes = 0;
  let memory = memoryOf(changes);
  /** Hashes that are being looked up. */
  const underWay = new Set<string>();
  // Anyone can send keys: all of them together use one statement at a time.
  const findKey = inBatches((hashes) => applications.findByKeyHashes(hashes, scope));

  const find = async (
    hash: string,
    connection: object,
    key: string,
  ): Promise<Application | undefined> => {
    const asOf = changes;
    underWay.add(hash);
    try {
      const application = await findKey(hash);
      // An answer from before a change must not be stored after it.
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
      // A later refresh has newer answers.
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

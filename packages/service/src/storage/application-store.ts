import type { Instant } from "../model/instant.js";
import type { KeyScope, ApplicationSettings, Application } from "../model/application.js";

/** A key of an application; the key itself is not kept. */
export interface ApiKey {
  readonly id: string;
  readonly applicationId: string;
  /** Its only use. */
  readonly scope: KeyScope;
  /** The last four characters. */
  readonly hint: string;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
}

/** The keys of applications. */
export interface ApiKeys {
  /** Makes a key, by default for lookups. The text is shown here and never again. */
  addKey(
    applicationId: string,
    scope?: KeyScope,
  ): Promise<{ readonly key: string; readonly record: ApiKey }>;
  /** False if the application does not have this key, or it is revoked already. */
  revokeKey(applicationId: string, keyId: string): Promise<boolean>;
  keysOf(applicationId: string): Promise<readonly ApiKey[]>;
}

/** A secret that signs deliveries. */
export interface SigningSecret {
  readonly id: string;
  readonly applicationId: string;
  readonly value: string;
  readonly createdAt: Instant;
  /** When the overlap with the next one ends, and with it this one; null for the newest. */
  readonly notAfter: Instant | null;
  /** Whether deliveries are signed with it: the oldest one does, until its end. */
  readonly signs: boolean;
}

/** The signing secrets of applications. */
export interface SigningSecrets {
  /**
   * Makes a new signing secret, or takes the one given. Those so far end after the overlap, 24 hours by
   * default. Until then the old one signs, so that every receiver can be given the new one before it
   * is used; without an overlap the new one signs at once.
   */
  rotateSecret(
    applicationId: string,
    options?: { readonly overlapMs?: number; readonly value?: string },
  ): Promise<SigningSecret>;
  /** Ends the overlap now: the newest secret signs. False without an overlap. */
  finishRotation(applicationId: string): Promise<boolean>;
  /** Those still valid, newest first: the last one signs. */
  secretsOf(applicationId: string): Promise<readonly SigningSecret[]>;
}

/** Applications with their keys and secrets. */
export interface Applications extends ApiKeys, SigningSecrets {
  create(
    application: Pick<ApplicationSettings, "name"> & Partial<ApplicationSettings>,
  ): Promise<Application>;
  /** Oldest first. */
  list(): Promise<readonly Application[]>;
  get(id: string): Promise<Application | undefined>;
  /** Undefined for an unknown id. */
  update(id: string, changes: Partial<ApplicationSettings>): Promise<Application | undefined>;
  /** Stops its deliveries; those pending are cancelled and its outbox is emptied. */
  disable(id: string, reason: string): Promise<Application | undefined>;
  /** The opposite of `disable`; cancelled deliveries stay cancelled. */
  enable(id: string): Promise<Application | undefined>;
  /**
   * Removes it with its keys, secrets, events, incidents, playbooks, logged decisions and outbox. Its
   * deliveries stay in the log, those pending as cancelled. False for an unknown id.
   */
  delete(id: string): Promise<boolean>;
  /**
   * The applications of keys in use, by the keys' hashes (see `hashApiKey`); by default of keys for
   * lookups.
   */
  findByKeyHashes(
    hashes: readonly string[],
    scope?: KeyScope,
  ): Promise<ReadonlyMap<string, Application>>;
}

import type { Instant } from "../model/instant.js";
import type { KeyScope, ApplicationSettings, Application, Quota } from "../model/application.js";

/** Metadata of an application key; the key itself is not stored. */
export interface ApiKey {
  readonly id: string;
  readonly applicationId: string;
  /** The only API that accepts the key. */
  readonly scope: KeyScope;
  /** The last four characters. */
  readonly hint: string;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
  readonly quota: Quota | null;
}

export interface KeyHolder extends Application {
  readonly keyQuota?: Quota & { readonly keyId: string };
}

export interface ApiKeys {
  /** Creates a key, by default for lookups. Its text is returned here and never again. */
  addKey(
    applicationId: string,
    scope?: KeyScope,
    quota?: Quota | null,
  ): Promise<{ readonly key: string; readonly record: ApiKey }>;
  /** Returns false if the application does not have this key or the key is already revoked. */
  revokeKey(applicationId: string, keyId: string): Promise<boolean>;
  /** Returns undefined for an unknown or revoked key. */
  setQuota(applicationId: string, keyId: string, quota: Quota | null): Promise<ApiKey | undefined>;
  keysOf(applicationId: string): Promise<readonly ApiKey[]>;
}

export interface SigningSecret {
  readonly id: string;
  readonly applicationId: string;
  readonly value: string;
  readonly createdAt: Instant;
  /** The end of the overlap with the next secret, when this one expires; null for the newest. */
  readonly notAfter: Instant | null;
  /** True if deliveries are signed with this secret: the oldest one signs until it expires. */
  readonly signs: boolean;
}

export interface SigningSecrets {
  /**
   * Generates a new signing secret, or stores the given one. The previous secrets expire after the
   * overlap, 24 hours by default. Until then the old secret signs, so that you can give every receiver
   * the new secret before it is used. Without an overlap the new secret signs immediately.
   */
  rotateSecret(
    applicationId: string,
    options?: { readonly overlapMs?: number; readonly value?: string },
  ): Promise<SigningSecret>;
  /** Ends the overlap now: the newest secret signs. Returns false if there is no overlap. */
  finishRotation(applicationId: string): Promise<boolean>;
  /** Returns the secrets that are still valid, newest first: the last one signs. */
  secretsOf(applicationId: string): Promise<readonly SigningSecret[]>;
}

export interface Applications extends ApiKeys, SigningSecrets {
  create(
    application: Pick<ApplicationSettings, "name"> & Partial<ApplicationSettings>,
  ): Promise<Application>;
  list(): Promise<readonly Application[]>;
  get(id: string): Promise<Application | undefined>;
  update(id: string, changes: Partial<ApplicationSettings>): Promise<Application | undefined>;
  /** Stops an application's deliveries: cancels pending ones and empties its outbox. */
  disable(id: string, reason: string): Promise<Application | undefined>;
  /** Reverses `disable`; cancelled deliveries remain cancelled. */
  enable(id: string): Promise<Application | undefined>;
  /**
   * Deletes an application with its keys, secrets, events, incidents, playbooks, logged decisions and
   * outbox. Its deliveries remain in the log, pending ones as cancelled. Returns false for an unknown
   * id.
   */
  delete(id: string): Promise<boolean>;
  /**
   * Finds the applications of valid keys by the hashes of the keys (see `hashApiKey`). The default
   * scope is lookups.
   */
  findByKeyHashes(
    hashes: readonly string[],
    scope?: KeyScope,
  ): Promise<ReadonlyMap<string, KeyHolder>>;
}

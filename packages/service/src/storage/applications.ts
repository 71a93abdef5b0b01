import type { PayloadType } from "@riskgate/core";
import type { Instant } from "./instant.js";

export const APPLICATION_KINDS = ["ordinary", "sandbox"] as const;
export type ApplicationKind = (typeof APPLICATION_KINDS)[number];

/** What an operator sets about an application. */
export interface ApplicationSettings {
  readonly name: string;
  /** For example "production" or "staging"; default "production". */
  readonly environment: string;
  /** Lookups of a sandbox application are rate-limited; default "ordinary". */
  readonly kind: ApplicationKind;
  /** Where deliveries go; without it there are none. */
  readonly webhookUrl: string | null;
  /** Payload types that are delivered; default all four. */
  readonly payloadTypes: readonly PayloadType[];
  /** Kinds of security events that are delivered; null, the default, for all. */
  readonly eventKinds: readonly string[] | null;
  /** Never mix payload types in one delivery; default false. */
  readonly oneTypePerCall: boolean;
  /** Most bytes in the body of one delivery; default 5 MiB. */
  readonly maxBodyBytes: number;
  /** CIDRs that deliveries may go to although they are not public; default none. */
  readonly allowedDestinations: readonly string[];
}

/** A customer's application, with its endpoint. */
export interface Application extends ApplicationSettings {
  /** 24 hex digits. */
  readonly id: string;
  /** Start of the deliveries that fail without one success since. */
  readonly failingSince: Instant | null;
  /** A disabled endpoint gets no deliveries. */
  readonly disabledAt: Instant | null;
  readonly disabledReason: string | null;
  readonly createdAt: Instant;
}

/** A key for the lookup API; the key itself is not kept. */
export interface ApiKey {
  readonly id: string;
  readonly applicationId: string;
  /** The last four characters. */
  readonly hint: string;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
}

/** A secret that signs deliveries. */
export interface SigningSecret {
  readonly id: string;
  readonly applicationId: string;
  readonly value: string;
  readonly createdAt: Instant;
  /** Last moment at which receivers should take it; null for the one that signs. */
  readonly notAfter: Instant | null;
}

/** Applications with their keys and secrets. */
export interface Applications {
  create(
    application: Pick<ApplicationSettings, "name"> & Partial<ApplicationSettings>,
  ): Promise<Application>;
  /** Oldest first. */
  list(): Promise<readonly Application[]>;
  get(id: string): Promise<Application | undefined>;
  /** Undefined where there is no such application. */
  update(id: string, changes: Partial<ApplicationSettings>): Promise<Application | undefined>;
  /** Stop its deliveries; those pending are cancelled and its outbox is emptied. */
  disable(id: string, reason: string): Promise<Application | undefined>;
  /** The opposite of `disable`; cancelled deliveries stay cancelled. */
  enable(id: string): Promise<Application | undefined>;
  /**
   * Remove it with its keys, secrets, events, incidents, playbooks and outbox. Its deliveries stay
   * in the log, those pending as cancelled. False where there is no such application.
   */
  delete(id: string): Promise<boolean>;

  /** Make a key. The text is shown here and never again. */
  addKey(applicationId: string): Promise<{ readonly key: string; readonly record: ApiKey }>;
  /** False where the application has no such key that is in use. */
  revokeKey(applicationId: string, keyId: string): Promise<boolean>;
  keysOf(applicationId: string): Promise<readonly ApiKey[]>;
  /** The application of a key in use, by the key's hash (see `hashApiKey`). */
  findByKeyHash(hash: string): Promise<Application | undefined>;

  /**
   * Make a new signing secret, and let the one so far end after the overlap. With `value`, take over
   * a secret that receivers already know.
   */
  rotateSecret(
    applicationId: string,
    options?: { readonly overlapMs?: number; readonly value?: string },
  ): Promise<SigningSecret>;
  /** Those still valid, newest first: the first one signs. */
  secretsOf(applicationId: string): Promise<readonly SigningSecret[]>;
}

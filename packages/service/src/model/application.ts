import type { Instant } from "./instant.js";
import type { PayloadType } from "@riskgate/core/payloads";

/** Use of a key: lookups or reports, never both. */
export type KeyScope = "lookup" | "report";

export const APPLICATION_KINDS = ["ordinary", "sandbox"] as const;

type ApplicationKind = (typeof APPLICATION_KINDS)[number];

/** Settings of an application. */
export interface ApplicationSettings {
  readonly name: string;
  /** For example "production" or "staging"; default "production". */
  readonly environment: string;
  /** Lookups of a sandbox application are rate-limited; default "ordinary". */
  readonly kind: ApplicationKind;
  /** Where deliveries are sent; null for no deliveries. */
  readonly webhookUrl: string | null;
  /** Payload types that are delivered; default all four. */
  readonly payloadTypes: readonly PayloadType[];
  /** Kinds of security events that are delivered; null, the default, for all. */
  readonly eventKinds: readonly string[] | null;
  /** Genres of incidents that are delivered; null, the default, for all. */
  readonly incidentGenres: readonly string[] | null;
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

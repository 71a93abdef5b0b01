import type { Instant } from "./instant.js";
import type { PayloadType } from "@riskgate/core/payloads";

/** Uses of a key, each of which excludes the others. */
export const KEY_SCOPES = ["lookup", "report", "blocks"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export interface Quota {
  readonly requests: number;
  readonly seconds: number;
}

export const APPLICATION_KINDS = ["ordinary", "sandbox"] as const;

type ApplicationKind = (typeof APPLICATION_KINDS)[number];

export interface ApplicationSettings {
  readonly name: string;
  /** For example "production" or "staging"; default "production". */
  readonly environment: string;
  /** Lookups of a sandbox application are rate-limited; default "ordinary". */
  readonly kind: ApplicationKind;
  /**
   * Counts the application's reports in the scores that other applications receive; default false,
   * and never true for a sandbox.
   */
  readonly sharesReports: boolean;
  /** URL that receives deliveries; null for no deliveries. */
  readonly webhookUrl: string | null;
  /** Payload types that are delivered; default all four. */
  readonly payloadTypes: readonly PayloadType[];
  /** Kinds of security events that are delivered; null, the default, for all. */
  readonly eventKinds: readonly string[] | null;
  /** Genres of incidents that are delivered; null, the default, for all. */
  readonly incidentGenres: readonly string[] | null;
  /** Separates payload types into different deliveries; default false. */
  readonly oneTypePerCall: boolean;
  /** Maximum size of a delivery body in bytes; default 5 MiB. */
  readonly maxBodyBytes: number;
  /** Maximum number of requests to the endpoint in a minute; null, the default, for no limit. */
  readonly maxDeliveriesPerMinute: number | null;
  /** Non-public networks, as CIDRs, to which deliveries may be sent; default none. */
  readonly allowedDestinations: readonly string[];
}

/** Returns true if the reports of an application count for all applications. */
export function isSharing(one: Pick<ApplicationSettings, "kind" | "sharesReports">): boolean {
  return one.sharesReports && one.kind !== "sandbox";
}

/** A customer's application, with its endpoint. */
export interface Application extends ApplicationSettings {
  /** 24 hex digits. */
  readonly id: string;
  /** Time of the first failed delivery since the last success. */
  readonly failingSince: Instant | null;
  /** When the application was disabled; it receives no deliveries until it is enabled. */
  readonly disabledAt: Instant | null;
  readonly disabledReason: string | null;
  readonly createdAt: Instant;
}

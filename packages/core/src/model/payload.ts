import type { EventCategory, EventKind, IncidentGenre, Open } from "./vocabulary.js";

/**
 * Webhook payloads, with the member names of the delivered examples. Every member except the type
 * may be missing, unknown members are preserved, and members that are present have the types stated
 * here. Source: specification, Resources; `docs/spec-notes.md` lists the repairs made on receipt.
 */
export type Payload = SecurityEvent | Incident | SecurityResponse | TestPayload;

export interface SecurityEvent extends ApplicationMembers, EventMembers {
  readonly service_payload_type: "security_event";
  readonly application_account_account_keys: readonly AccountKey[];
}

/** Sent on demand, to try the endpoint. */
export interface TestPayload extends ApplicationMembers, EventMembers {
  readonly service_payload_type: "test";
  readonly id?: string;
}

/** A significant security event, or a group of them; `pulse` on the wire. */
export interface Incident extends ApplicationMembers {
  readonly service_payload_type: "pulse";
  readonly pulse_genre?: Open<IncidentGenre>;
  readonly pulse_category?: string;
  readonly date_started?: string;
  /** Missing while the incident continues. */
  readonly date_ended?: string;
  readonly humanized_title?: string;
  readonly humanized_accounts?: string;
  readonly humanized_geos?: string;
  readonly blocked?: boolean;
  readonly id?: string;
  readonly url?: string;
  readonly incidents_count?: number;
  readonly user_agents_count?: number;
  readonly ip_addresses_count?: number;
  readonly accounts_count?: number;
}

/** Actions that a security playbook requests. */
export interface SecurityResponse extends OpenMembers {
  readonly service_payload_type: "security_response";
  readonly id?: string;
  readonly date_created?: string;
  readonly application?: { readonly name?: string; readonly environment?: string } & WithId;
  readonly properties: {
    readonly ips: readonly ({ readonly ip_cidr: string } & OpenMembers)[];
    /** Plain strings, or objects whose keys name the kind of identifier, such as `email`. */
    readonly user_identifiers: readonly (string | OpenMembers)[];
    /** Duration of the block; not specified, but sent by the riskgate service. */
    readonly duration_seconds?: number;
  } & OpenMembers;
  readonly playbook?: { readonly name?: string } & WithId;
}

export interface EventIp extends OpenMembers {
  readonly address: string;
  readonly date_resolved?: string;
  /** Empty if the location is unknown. */
  readonly geo: EventGeo;
  readonly is_tor?: boolean;
}

export interface EventGeo extends OpenMembers {
  readonly city?: string;
  /** ISO 3166 alpha-3 country code. */
  readonly code?: string;
  /** Longitude first, then latitude, in degrees; see {@link coordinatesOf}. */
  readonly point?: readonly [longitude: number, latitude: number];
}

/** Name and value that identify an account of the application. */
export interface AccountKey extends OpenMembers {
  readonly name: string;
  readonly value: string;
}

/** Members that the service may add at any time. */
export interface OpenMembers {
  readonly [member: string]: unknown;
}

interface WithId extends OpenMembers {
  readonly id?: string;
}

interface ApplicationMembers extends OpenMembers {
  readonly application_id?: string;
  readonly application_name?: string;
  readonly environment?: string;
}

interface EventMembers extends OpenMembers {
  readonly event_id?: string;
  readonly event_kind?: Open<EventKind>;
  readonly event_category?: Open<EventCategory>;
  readonly event_url?: string;
  /** ISO 8601 with microseconds; see `parseTimestamp`. */
  readonly date_occurred?: string;
  readonly humanized_description?: string;
  /** Not specified; all observed values are whole numbers below 100. */
  readonly risk?: number;
  /** Not specified; sent by the riskgate service. */
  readonly user_agent?: string;
  readonly ips: readonly EventIp[];
}

/** Returns the two numbers of a `point` by name, because their order is easily confused. */
export function coordinatesOf(
  geo: EventGeo | undefined,
): { longitude: number; latitude: number } | undefined {
  if (!geo?.point) return undefined;
  const [longitude, latitude] = geo.point;
  return { longitude, latitude };
}

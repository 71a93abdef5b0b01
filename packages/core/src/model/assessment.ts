/**
 * The service's assessment of one email address. Unknown members are preserved.
 *
 * Source: specification, Resources, Email assessment. Only `risk_score` is guaranteed.
 */
export interface EmailAssessment {
  /** Assessed risk of malicious use, 0 to 100. */
  readonly risk_score: number;
  readonly email?: string;
  /** The address itself is a direct risk, for example because it embeds script code. */
  readonly is_email_harmful?: boolean;
  /** The address was used in a security attack. */
  readonly is_known_attacker?: boolean;
  readonly high_risk_security_events_count?: number;
  readonly security_events_count?: number;
  /** The domain belongs to a vendor of temporary or anonymised addresses. */
  readonly is_disposable?: boolean;
  /** The address is malformed according to RFC 5322. */
  readonly is_email_malformed?: boolean;
  /** True if the domain forwards mail to permanent mailboxes (set by our engine). */
  readonly is_forwarding?: boolean;
  /** The domain receives no mail (set by our engine: see `docs/spec-notes.md`). */
  readonly is_undeliverable?: boolean;
  /** Age of the domain in days (not specified, and not set by our engine). */
  readonly domain_age_days?: number;
  readonly [member: string]: unknown;
}

/**
 * The service's assessment of one IP address. Unknown members are preserved.
 *
 * Source: specification, Resources, IP assessment.
 */
export interface IpAssessment {
  /** Assessed risk of malicious use, 0 to 100. */
  readonly risk_score: number;
  /** The requested address, possibly in a different spelling. */
  readonly ip?: string;
  readonly ip_version?: 4 | 6;
  /** The address was used in a security attack. */
  readonly is_known_attacker?: boolean;
  readonly high_risk_security_events_count?: number;
  readonly security_events_count?: number;
  /** Location of the address; `{}` if it is unknown. */
  readonly ip_geo?: IpGeo;
  readonly is_datacenter?: boolean;
  readonly is_vpn?: boolean;
  readonly is_proxy?: boolean;
  /** Not globally reachable (our choice: see `docs/spec-notes.md`). */
  readonly is_private?: boolean;
  readonly is_tor?: boolean;
  /** Number of the autonomous system (set by our engine: see `docs/spec-notes.md`). */
  readonly asn?: number;
  /** True if nothing is known about the address, because no feed is loaded (set by our engine). */
  readonly no_address_data?: boolean;
  readonly [member: string]: unknown;
}

export interface IpGeo {
  readonly latitude?: number;
  readonly longitude?: number;
  /** ISO 3166 alpha-3 code. */
  readonly country_code?: string;
  readonly city?: string | null;
  /** Radius around the coordinates within which the address is (set by our engine). */
  readonly accuracy_km?: number;
  readonly [member: string]: unknown;
}

export type Assessment = EmailAssessment | IpAssessment;

export type LookupType = "ip" | "email";

/** Source of an assessment: a live lookup, the cache, or an expired cache entry. */
export type Source = "live" | "cache" | "stale";

export interface Scored<T> {
  readonly state: "scored";
  readonly assessment: T;
  readonly source: Source;
}

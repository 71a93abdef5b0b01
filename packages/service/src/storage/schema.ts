import type { IncidentGenre, PayloadType } from "@riskgate/core/payloads";
import type { KeyScope } from "../model/application.js";
import type { ColumnType, Generated } from "kysely";
import type { Instant } from "../model/instant.js";

/** False or true, as stored by both databases. */
export type Bit = 0 | 1;

/** Bytes: the drivers return different types. */
type Bytes = ColumnType<ArrayBuffer | Uint8Array, Uint8Array, Uint8Array>;

/** Tables after the latest migration; `_at` and `_until` are instants, `_json` is text. */
export interface Schema {
  readonly applications: ApplicationRow;
  readonly api_keys: {
    seq: Generated<number>;
    id: string;
    application_id: string;
    hash: string;
    hint: string;
    created_at: Instant;
    revoked_at: Instant | null;
    scope: KeyScope;
    quota_json: string | null;
  };
  readonly signing_secrets: {
    seq: Generated<number>;
    id: string;
    application_id: string;
    value: string;
    created_at: Instant;
    not_after: Instant | null;
  };
  readonly events: {
    seq: Generated<number>;
    application_id: string;
    id: string;
    kind: string;
    category: string;
    occurred_at: Instant;
    high_risk: Bit;
    payload_json: string;
    received_at: Instant;
  };
  readonly ledger: {
    seq: Generated<number>;
    subject_type: "ip" | "net" | "account";
    subject: string;
    application_id: string;
    event_id: string;
    occurred_at: Instant;
    /** 2 for an entry that only names the subject. */
    high_risk: Bit | 2;
  };
  readonly incidents: {
    seq: Generated<number>;
    id: string;
    application_id: string;
    genre: IncidentGenre;
    subject: string;
    started_at: Instant;
    ended_at: Instant | null;
    updated_at: Instant;
    payload_json: string;
    state_json: string;
  };
  readonly playbooks: {
    seq: Generated<number>;
    id: string;
    application_id: string;
    name: string;
    rule_json: string;
    response_json: string;
    enabled: Bit;
    created_at: Instant;
  };
  readonly responses: {
    seq: Generated<number>;
    id: string;
    application_id: string;
    playbook_id: string;
    subject: string;
    created_at: Instant;
    ends_at: Instant;
    payload_json: string;
  };
  readonly decisions: {
    seq: Generated<number>;
    application_id: string;
    id: string;
    decided_at: Instant;
    record_json: string;
    received_at: Instant;
  };
  readonly pending_scorings: {
    seq: Generated<number>;
    application_id: string;
    event_ids_json: string;
  };
  readonly windows: {
    seq: Generated<number>;
    map: string;
    key_json: string;
    value_json: string;
    version: number;
    expires_at: Instant;
  };
  readonly revisions: {
    seq: Generated<number>;
    name: string;
    version: number;
  };
  /** At most one row, with all operator rules. */
  readonly operator_rules: {
    seq: Generated<number>;
    rules_json: string;
  };
  readonly outbox: {
    seq: Generated<number>;
    application_id: string;
    payload_type: PayloadType;
    payload_json: string;
    queued_at: Instant;
  };
  readonly deliveries: DeliveryRow;
  readonly bodies: {
    /** The `seq` of the delivery. */
    seq: number;
    body: Bytes;
  };
  /** Rows to erase once they have ended, by `seq`. */
  readonly pending_erasures: {
    seq: Generated<number>;
    kind: "delivery" | "outbox" | "incident";
    target: number;
  };
  readonly attempts: {
    seq: Generated<number>;
    delivery_seq: number;
    number: number;
    started_at: Instant;
    duration_ms: number;
    status: number | null;
    error: string | null;
    location: string | null;
    excerpt: string | null;
  };
}

export interface ApplicationRow {
  seq: Generated<number>;
  id: string;
  name: string;
  environment: string;
  kind: "ordinary" | "sandbox";
  shares_reports: Bit;
  webhook_url: string | null;
  payload_types_json: string;
  event_kinds_json: string | null;
  incident_genres_json: string | null;
  one_type_per_call: Bit;
  max_body_bytes: number;
  allowed_destinations_json: string;
  max_deliveries_per_minute: number | null;
  failing_since: Instant | null;
  disabled_at: Instant | null;
  disabled_reason: string | null;
  created_at: Instant;
}

export interface DeliveryRow {
  seq: Generated<number>;
  id: string;
  application_id: string;
  body_bytes: number;
  payload_count: number;
  created_at: Instant;
  state: "pending" | "delivered" | "dead" | "cancelled";
  attempts: number;
  next_attempt_at: Instant | null;
  last_status: number | null;
  last_error: string | null;
}

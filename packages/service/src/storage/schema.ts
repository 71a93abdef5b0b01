import type { IncidentGenre } from "@riskgate/core/payloads";
import type { KeyScope } from "../model/application.js";
import type { Generated, Kysely } from "kysely";
import type { Instant } from "../model/instant.js";
import type { Label } from "../model/label.js";
import type { LabelledType } from "../model/stored-label.js";
import type { Consumer, LogType } from "../model/log-entry.js";

/** False or true, as stored by both databases. */
export type Bit = 0 | 1;

export type Database = Kysely<Schema>;

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
  /** Everything that applications reported and that was derived from it, in order. */
  readonly log: {
    /** Ascending in the order of the commits of one application, with gaps. */
    seq: Generated<number>;
    application_id: string;
    type: LogType;
    event_id: string | null;
    kind: string;
    category: string;
    occurred_at: Instant;
    received_at: Instant;
    high_risk: Bit;
    /** `seq` of the entry from which this one was derived. */
    cause: number | null;
    payload_json: string;
  };
  /** Ids that were already reported, for detecting duplicates and for finding an event. */
  readonly event_ids: { application_id: string; event_id: string; log_seq: number };
  /** One row for each application; whoever appends to its log locks it. */
  readonly heads: { application_id: string; partition: number };
  /** How far each consumer has processed the log of an application. */
  readonly cursors: {
    application_id: string;
    consumer: Consumer;
    position: number;
    version: number;
  };
  /** The process that owns the applications of a partition, by the clock of the database. */
  readonly partitions: {
    partition: number;
    owner: string | null;
    epoch: number;
    until_ms: number;
  };
  /** Running processes. */
  readonly members: { id: string; name: string; ahead_ms: number; until_ms: number };
  readonly ledger: {
    subject_type: "ip" | "net" | "account";
    /** Normal form of the subject, by which it is found. */
    subject_key: string;
    application_id: string;
    log_seq: number;
    /** The subject as reported; empty if that is the key. */
    subject: string;
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
  readonly labels: {
    application_id: string;
    about: LabelledType;
    target: string;
    digest: string | null;
    label: Label;
    labelled_at: Instant;
    received_at: Instant;
  };
  readonly windows: {
    application_id: string;
    map: string;
    key_json: string;
    value_json: string;
    expires_at: Instant;
  };
  readonly revisions: {
    seq: Generated<number>;
    name: string;
    version: number;
  };
  /** When the tasks that run once for all processes last ended. */
  readonly last_runs: { task: string; ended_at: Instant };
  /** At most one row, with all operator rules. */
  readonly operator_rules: {
    seq: Generated<number>;
    rules_json: string;
  };
  readonly deliveries: DeliveryRow;
  /** Rows to erase once they have ended, by `seq`. */
  readonly pending_erasures: {
    seq: Generated<number>;
    kind: "entry" | "incident";
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
  /** The entries of the log that it consists of: an interval, without those listed. */
  first_seq: number | null;
  last_seq: number | null;
  without_json: string | null;
}

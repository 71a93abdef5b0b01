import type { Instant } from "./instant.js";
import type { JsonObject } from "./json-object.js";

/** What an operator sets about a playbook. */
export interface PlaybookSettings {
  readonly name: string;
  /** When it triggers; its form is the playbooks' own business. */
  readonly rule: JsonObject;
  /** What it answers with. */
  readonly response: JsonObject;
  /** Default true. */
  readonly enabled: boolean;
}

/** A rule with its response. */
export interface StoredPlaybook extends PlaybookSettings {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly createdAt: Instant;
}

/** A response that a playbook sent. */
export interface StoredResponse {
  /** 32 hex digits. */
  readonly id: string;
  readonly applicationId: string;
  readonly playbookId: string;
  /** Whom it is about, in the playbook's own terms. */
  readonly subject: string;
  readonly createdAt: Instant;
  readonly endsAt: Instant;
  readonly payload: JsonObject;
}

/** Playbooks with the responses they sent. */
export interface Playbooks {
  create(
    applicationId: string,
    playbook: Omit<PlaybookSettings, "enabled"> & Partial<PlaybookSettings>,
  ): Promise<StoredPlaybook>;
  /** Of one application, or of all; oldest first. */
  list(applicationId?: string): Promise<readonly StoredPlaybook[]>;
  get(id: string): Promise<StoredPlaybook | undefined>;
  update(id: string, changes: Partial<PlaybookSettings>): Promise<StoredPlaybook | undefined>;
  delete(id: string): Promise<boolean>;

  recordResponse(response: StoredResponse): Promise<void>;
  /** A response of this playbook about this subject that lasts at this moment. */
  activeResponse(
    playbookId: string,
    subject: string,
    now: Instant,
  ): Promise<StoredResponse | undefined>;
  /** Newest first. */
  responses(applicationId: string, limit: number): Promise<readonly StoredResponse[]>;
}

import { PAYLOAD_TYPES } from "@riskgate/core";
import type { PayloadType } from "@riskgate/core/payloads";
import type { Insertable, Selectable, Updateable } from "kysely";
import { type ApiKeys, createApiKeys } from "./api-keys.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { cancelDeliveries } from "./deliveries-table.js";
import type { Clock, Instant } from "../model/instant.js";
import type { Leases } from "./leases.js";
import { inTexts } from "./lists.js";
import { randomId } from "../model/random-id.js";
import type { ApplicationRow, KeyScope } from "./schema.js";
import { createSigningSecrets, type SigningSecrets } from "./signing-secrets.js";

export const APPLICATION_KINDS = ["ordinary", "sandbox"] as const;
type ApplicationKind = (typeof APPLICATION_KINDS)[number];

/** What an operator sets about an application. */
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
  /** Stop its deliveries; those pending are cancelled and its outbox is emptied. */
  disable(id: string, reason: string): Promise<Application | undefined>;
  /** The opposite of `disable`; cancelled deliveries stay cancelled. */
  enable(id: string): Promise<Application | undefined>;
  /**
   * Remove it with its keys, secrets, events, incidents, playbooks and outbox. Its deliveries stay
   * in the log, those pending as cancelled. False for an unknown id.
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

/** Settings of an application by default. */
const DEFAULTS: Omit<ApplicationSettings, "name"> = {
  environment: "production",
  kind: "ordinary",
  webhookUrl: null,
  payloadTypes: PAYLOAD_TYPES,
  eventKinds: null,
  incidentGenres: null,
  oneTypePerCall: false,
  maxBodyBytes: 5 * 1024 * 1024,
  allowedDestinations: [],
};

/** What belongs to an application and goes with it. */
const OWNED = [
  "api_keys",
  "signing_secrets",
  "events",
  "ledger",
  "incidents",
  "playbooks",
  "responses",
  "judgements",
] as const;

/** Creates the applications in a database. */
export function createApplications(database: Database, clock: Clock, leases: Leases): Applications {
  const find = async (id: string): Promise<Application | undefined> => {
    const row = await database
      .selectFrom("applications")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row && applicationOf(row);
  };
  /** Cancels everything that would be sent. */
  const stopDeliveries = async (within: Database, id: string): Promise<void> => {
    await within.deleteFrom("outbox").where("application_id", "=", id).execute();
    await cancelDeliveries(within, id);
    leases.outdate();
  };

  return {
    ...createApiKeys(database, clock),
    ...createSigningSecrets(database, clock, leases),

    async create(settings) {
      const row = await database
        .insertInto("applications")
        .values({
          ...columnsOf({ ...DEFAULTS, ...settings }),
          id: randomId(24),
          created_at: clock(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return applicationOf(row);
    },
    async list() {
      const rows = await database.selectFrom("applications").selectAll().orderBy("seq").execute();
      return rows.map(applicationOf);
    },
    get: find,
    async findByKeyHashes(hashes, scope = "lookup") {
      const rows = await database
        .selectFrom("applications")
        .innerJoin("api_keys", "api_keys.application_id", "applications.id")
        .selectAll("applications")
        .select("api_keys.hash")
        .where("api_keys.hash", "in", inTexts(database, hashes))
        .where("api_keys.scope", "=", scope)
        .where("api_keys.revoked_at", "is", null)
        .execute();
      return new Map(rows.map((row) => [row.hash, applicationOf(row)]));
    },
    async update(id, changes) {
      if (Object.values(changes).every((value) => value === undefined)) return find(id);
      const row = await database
        .updateTable("applications")
        .set(changesOf(changes))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      leases.outdate();
      return row && applicationOf(row);
    },
    disable: (id, reason) =>
      atomically(database, async (within) => {
        const row = await within
          .updateTable("applications")
          .set({ disabled_at: clock(), disabled_reason: reason })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        await stopDeliveries(within, id);
        return row && applicationOf(row);
      }),
    async enable(id) {
      const row = await database
        .updateTable("applications")
        .set({ disabled_at: null, disabled_reason: null, failing_since: null })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      leases.outdate();
      return row && applicationOf(row);
    },
    delete: (id) =>
      atomically(database, async (within) => {
        for (const table of OWNED) {
          await within.deleteFrom(table).where("application_id", "=", id).execute();
        }
        const { numDeletedRows } = await within
          .deleteFrom("applications")
          .where("id", "=", id)
          .executeTakeFirst();
        await stopDeliveries(within, id);
        return numDeletedRows > 0n;
      }),
  };
}

type SettingColumns = Omit<Insertable<ApplicationRow>, "seq" | "id" | "created_at">;

/** Settings as columns. */
function columnsOf(settings: ApplicationSettings): SettingColumns {
  return {
    name: settings.name,
    environment: settings.environment,
    kind: settings.kind,
    webhook_url: settings.webhookUrl,
    payload_types_json: JSON.stringify(settings.payloadTypes),
    event_kinds_json: settings.eventKinds && JSON.stringify(settings.eventKinds),
    incident_genres_json: settings.incidentGenres && JSON.stringify(settings.incidentGenres),
    one_type_per_call: settings.oneTypePerCall ? 1 : 0,
    max_body_bytes: settings.maxBodyBytes,
    allowed_destinations_json: JSON.stringify(settings.allowedDestinations),
  };
}

/** The columns of those settings that are given. */
function changesOf(changes: Partial<ApplicationSettings>): Updateable<ApplicationRow> {
  const columns = columnsOf(changes as ApplicationSettings);
  // Of what is not given, only this column has a value all the same.
  if (changes.oneTypePerCall !== undefined) return columns;
  const { one_type_per_call: _, ...given } = columns;
  return given;
}

function wordsOf(json: string | null): readonly string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

/** An application as it is kept. */
function applicationOf(row: Selectable<ApplicationRow>): Application {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    kind: row.kind,
    webhookUrl: row.webhook_url,
    payloadTypes: JSON.parse(row.payload_types_json) as PayloadType[],
    eventKinds: wordsOf(row.event_kinds_json),
    incidentGenres: wordsOf(row.incident_genres_json),
    oneTypePerCall: row.one_type_per_call === 1,
    maxBodyBytes: row.max_body_bytes,
    allowedDestinations: JSON.parse(row.allowed_destinations_json) as string[],
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  };
}

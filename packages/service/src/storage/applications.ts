import type { KeyScope } from "../model/application.js";
import { OWNED_TABLES } from "./tables.js";
import { PAYLOAD_TYPES } from "@riskgate/core";
import type { PayloadType } from "@riskgate/core/payloads";
import type { Applications, KeyHolder } from "./application-store.js";
import { type Application, type ApplicationSettings, isSharing } from "../model/application.js";
import type { Insertable, Selectable, Updateable } from "kysely";
import { createApiKeys, quotaOf } from "./api-keys.js";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { cancelDeliveries } from "./deliveries-table.js";
import type { Clock, Instant } from "../model/instant.js";
import type { Leases } from "./leases.js";
import { createHead, createLog } from "./log.js";
import { inTexts } from "./lists.js";
import { randomId } from "../model/random-id.js";
import { advance } from "./revisions.js";
import type { ApplicationRow } from "./schema.js";
import { createSigningSecrets } from "./signing-secrets.js";

const DEFAULTS: Omit<ApplicationSettings, "name"> = {
  environment: "production",
  kind: "ordinary",
  sharesReports: false,
  webhookUrl: null,
  payloadTypes: PAYLOAD_TYPES,
  eventKinds: null,
  incidentGenres: null,
  oneTypePerCall: false,
  maxBodyBytes: 5 * 1024 * 1024,
  allowedDestinations: [],
  maxDeliveriesPerMinute: null,
};

export function createApplications(database: Database, clock: Clock, leases: Leases): Applications {
  const change = async (
    within: Database,
    id: string,
    columns: Updateable<ApplicationRow>,
  ): Promise<Application | undefined> => {
    const before = await find(within, id);
    const row = await within
      .updateTable("applications")
      .set(columns)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    leases.outdate();
    const after = row && applicationOf(row);
    // What was reported without an endpoint is not for the one that is there now.
    if (before && after && !hasEndpoint(before) && hasEndpoint(after)) {
      await createLog(within, clock).skip(id, "delivery");
    }
    return after;
  };
  const stopDeliveries = async (within: Database, id: string): Promise<void> => {
    await createLog(within, clock).skip(id, "delivery");
    await cancelDeliveries(within, id);
    leases.outdate();
  };

  return {
    ...createApiKeys(database, clock),
    ...createSigningSecrets(database, clock, leases),

    create: (settings) => atomically(database, (within) => insert(within, settings, clock())),
    async list() {
      const rows = await database.selectFrom("applications").selectAll().orderBy("seq").execute();
      return rows.map(applicationOf);
    },
    get: (id) => find(database, id),
    findByKeyHashes: (hashes, scope = "lookup") => findByKeyHashes(database, hashes, scope),
    async update(id, changes) {
      const columns = changesOf(changes);
      if (Object.values(columns).every((value) => value === undefined)) return find(database, id);
      return atomically(database, async (within) => {
        const before = await find(within, id);
        const after = await change(within, id, columns);
        if (after && isSharing(before!) !== isSharing(after)) await advance(within, "erasures");
        return after;
      });
    },
    disable: (id, reason) =>
      atomically(database, async (within) => {
        const columns = { disabled_at: clock(), disabled_reason: reason };
        const disabled = await change(within, id, columns);
        await stopDeliveries(within, id);
        return disabled;
      }),
    enable: (id) => {
      const columns = { disabled_at: null, disabled_reason: null, failing_since: null };
      return atomically(database, (within) => change(within, id, columns));
    },
    delete: (id) =>
      atomically(database, async (within) => {
        await stopDeliveries(within, id);
        await deleteOwned(within, id);
        const { numDeletedRows } = await within
          .deleteFrom("applications")
          .where("id", "=", id)
          .executeTakeFirst();
        if (numDeletedRows > 0n) await advance(within, "erasures");
        return numDeletedRows > 0n;
      }),
  };
}

function hasEndpoint({ webhookUrl, disabledAt }: Application): boolean {
  return webhookUrl !== null && disabledAt === null;
}

async function insert(
  database: Database,
  settings: Pick<ApplicationSettings, "name"> & Partial<ApplicationSettings>,
  now: Instant,
): Promise<Application> {
  const row = await database
    .insertInto("applications")
    .values({
      ...columnsOf({ ...DEFAULTS, ...settings }),
      id: randomId(24),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await createHead(database, row.id);
  return applicationOf(row);
}

async function find(database: Database, id: string): Promise<Application | undefined> {
  const row = await database
    .selectFrom("applications")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && applicationOf(row);
}

async function findByKeyHashes(
  database: Database,
  hashes: readonly string[],
  scope: KeyScope,
): Promise<ReadonlyMap<string, KeyHolder>> {
  const rows = await database
    .selectFrom("applications")
    .innerJoin("api_keys", "api_keys.application_id", "applications.id")
    .selectAll("applications")
    .select(["api_keys.hash", "api_keys.id as key_id", "api_keys.quota_json"])
    .where("api_keys.hash", "in", inTexts(database, hashes))
    .where("api_keys.scope", "=", scope)
    .where("api_keys.revoked_at", "is", null)
    .execute();
  return new Map(
    rows.map((row) => {
      const quota = quotaOf(row.quota_json);
      const keyQuota = quota && { ...quota, keyId: row.key_id };
      return [row.hash, { ...applicationOf(row), ...(keyQuota && { keyQuota }) }];
    }),
  );
}

/** Deletes the rows of an application, except its deliveries, which remain in the log. */
async function deleteOwned(database: Database, id: string): Promise<void> {
  for (const table of OWNED_TABLES) {
    if (table === "deliveries") continue;
    // Every table in the list has this column.
    await database
      .deleteFrom(table as "decisions")
      .where("application_id", "=", id)
      .execute();
  }
}

type SettingColumns = Omit<Insertable<ApplicationRow>, "seq" | "id" | "created_at">;

function columnsOf(settings: ApplicationSettings): SettingColumns {
  return {
    name: settings.name,
    environment: settings.environment,
    kind: settings.kind,
    shares_reports: settings.sharesReports ? 1 : 0,
    webhook_url: settings.webhookUrl,
    payload_types_json: JSON.stringify(settings.payloadTypes),
    event_kinds_json: settings.eventKinds && JSON.stringify(settings.eventKinds),
    incident_genres_json: settings.incidentGenres && JSON.stringify(settings.incidentGenres),
    one_type_per_call: settings.oneTypePerCall ? 1 : 0,
    max_body_bytes: settings.maxBodyBytes,
    allowed_destinations_json: JSON.stringify(settings.allowedDestinations),
    max_deliveries_per_minute: settings.maxDeliveriesPerMinute,
  };
}

function changesOf(changes: Partial<ApplicationSettings>): Updateable<ApplicationRow> {
  const columns: Updateable<ApplicationRow> = columnsOf(changes as ApplicationSettings);
  // `columnsOf` turns a missing flag into 0, which must not be stored.
  if (changes.oneTypePerCall === undefined) delete columns.one_type_per_call;
  if (changes.sharesReports === undefined) delete columns.shares_reports;
  return columns;
}

function wordsOf(json: string | null): readonly string[] | null {
  return json === null ? null : (JSON.parse(json) as string[]);
}

function applicationOf(row: Selectable<ApplicationRow>): Application {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    kind: row.kind,
    sharesReports: row.shares_reports === 1,
    webhookUrl: row.webhook_url,
    payloadTypes: JSON.parse(row.payload_types_json) as PayloadType[],
    eventKinds: wordsOf(row.event_kinds_json),
    incidentGenres: wordsOf(row.incident_genres_json),
    oneTypePerCall: row.one_type_per_call === 1,
    maxBodyBytes: row.max_body_bytes,
    allowedDestinations: JSON.parse(row.allowed_destinations_json) as string[],
    maxDeliveriesPerMinute: row.max_deliveries_per_minute,
    failingSince: row.failing_since,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  };
}

import type { ApiKey, ApiKeys } from "./application-store.js";
import { hash, randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "./database.js";
import type { Clock } from "../model/instant.js";
import { randomId } from "../model/random-id.js";
import type { Schema } from "./schema.js";
import type { KeyScope, Quota } from "../model/application.js";

/** Creates the key store of a database, which contains only hashes of keys. */
export function createApiKeys(database: Database, clock: Clock): ApiKeys {
  return {
    async addKey(applicationId, scope = "lookup", quota = null) {
      const key = newApiKey(scope);
      const row = await database
        .insertInto("api_keys")
        .values({
          id: randomId(),
          application_id: applicationId,
          hash: hashApiKey(key),
          hint: key.slice(-4),
          created_at: clock(),
          revoked_at: null,
          scope,
          quota_json: textOf(quota),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { key, record: keyOf(row) };
    },
    async revokeKey(applicationId, keyId) {
      const { numUpdatedRows } = await database
        .updateTable("api_keys")
        .set({ revoked_at: clock() })
        .where("application_id", "=", applicationId)
        .where("id", "=", keyId)
        .where("revoked_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async setQuota(applicationId, keyId, quota) {
      const row = await database
        .updateTable("api_keys")
        .set({ quota_json: textOf(quota) })
        .where("application_id", "=", applicationId)
        .where("id", "=", keyId)
        .where("revoked_at", "is", null)
        .returningAll()
        .executeTakeFirst();
      return row && keyOf(row);
    },
    async keysOf(applicationId) {
      const rows = await database
        .selectFrom("api_keys")
        .selectAll()
        .where("application_id", "=", applicationId)
        .orderBy("seq")
        .execute();
      return rows.map(keyOf);
    },
  };
}

function keyOf(row: Selectable<Schema["api_keys"]>): ApiKey {
  return {
    id: row.id,
    applicationId: row.application_id,
    scope: row.scope,
    hint: row.hint,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    quota: quotaOf(row.quota_json),
  };
}

function textOf(quota: Quota | null): string | null {
  return quota && JSON.stringify(quota);
}

export function quotaOf(json: string | null): Quota | null {
  return json === null ? null : (JSON.parse(json) as Quota);
}

const PREFIXES: Readonly<Record<KeyScope, string>> = {
  lookup: "rgk_",
  report: "rgr_",
  blocks: "rgb_",
};

/** Generates a key: its prefix and 43 characters that encode 256 random bits. */
function newApiKey(scope: KeyScope): string {
  return `${PREFIXES[scope]}${randomBytes(32).toString("base64url")}`;
}

/**
 * Returns the hash under which a key is stored: SHA-256 in hex.
 *
 * A fast hash is enough: unlike a password, a key with 256 random bits cannot be guessed.
 */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}

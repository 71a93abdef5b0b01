import type { ApiKey, ApiKeys } from "./application-store.js";
import { hash, randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "./database.js";
import type { Clock } from "../model/instant.js";
import { randomId } from "../model/random-id.js";
import type { Schema } from "./schema.js";
import type { KeyScope } from "../model/application.js";

/** Creates the keys in a database, where only their hashes are. */
export function createApiKeys(database: Database, clock: Clock): ApiKeys {
  return {
    async addKey(applicationId, scope = "lookup") {
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
  };
}

/** What keys begin with, so that a reader sees what one is for. */
const PREFIXES: Readonly<Record<KeyScope, string>> = { lookup: "rgk_", report: "rgr_" };

/** Makes a key: its prefix and 43 characters that carry 256 random bits. */
function newApiKey(scope: KeyScope): string {
  return `${PREFIXES[scope]}${randomBytes(32).toString("base64url")}`;
}

/**
 * Hash a key the way it is kept: SHA-256 in hex.
 *
 * A fast hash is enough: unlike a password, a key of 256 random bits cannot be guessed from it.
 */
export function hashApiKey(key: string): string {
  return hash("sha256", key);
}

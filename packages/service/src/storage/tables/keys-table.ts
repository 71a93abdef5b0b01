import type { Selectable } from "kysely";
import type { ApiKey, Applications } from "../applications.js";
import { hashApiKey, newApiKey } from "../credentials.js";
import type { Database } from "../database.js";
import type { Clock } from "../instant.js";
import { randomId } from "../random-id.js";
import type { Schema } from "../schema.js";
import { applicationOf } from "./application-row.js";

type Keys = Pick<Applications, "addKey" | "revokeKey" | "keysOf" | "findByKeyHash">;

/** The keys of applications, of which only hashes are kept. */
export function createKeysTable(database: Database, clock: Clock): Keys {
  return {
    async addKey(applicationId) {
      const key = newApiKey();
      const row = await database
        .insertInto("api_keys")
        .values({
          id: randomId(),
          application_id: applicationId,
          hash: hashApiKey(key),
          hint: key.slice(-4),
          created_at: clock(),
          revoked_at: null,
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
    async findByKeyHash(hash) {
      const row = await database
        .selectFrom("applications")
        .innerJoin("api_keys", "api_keys.application_id", "applications.id")
        .selectAll("applications")
        .where("api_keys.hash", "=", hash)
        .where("api_keys.revoked_at", "is", null)
        .executeTakeFirst();
      return row && applicationOf(row);
    },
  };
}

function keyOf(row: Selectable<Schema["api_keys"]>): ApiKey {
  return {
    id: row.id,
    applicationId: row.application_id,
    hint: row.hint,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}

import type { Selectable } from "kysely";
import type { Applications, SigningSecret } from "../applications.js";
import { atomically } from "../atomically.js";
import { newSigningSecret } from "../credentials.js";
import type { Database } from "../database.js";
import type { Clock } from "../instant.js";
import type { Leases } from "../leases.js";
import { randomId } from "../random-id.js";
import type { Schema } from "../schema.js";

type Secrets = Pick<Applications, "rotateSecret" | "secretsOf">;

/** Long enough to change the secret in every receiver. */
const DEFAULT_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** The signing secrets of applications, kept as they are: deliveries are signed with them. */
export function createSecretsTable(database: Database, clock: Clock, leases: Leases): Secrets {
  return {
    rotateSecret(applicationId, { overlapMs = DEFAULT_OVERLAP_MS, value } = {}) {
      return atomically(database, async (within) => {
        const now = clock();
        await within
          .updateTable("signing_secrets")
          .set({ not_after: now + overlapMs * 1000 })
          .where("application_id", "=", applicationId)
          .where("not_after", "is", null)
          .execute();
        await within
          .deleteFrom("signing_secrets")
          .where("application_id", "=", applicationId)
          .where("not_after", "<", now)
          .execute();
        const row = await within
          .insertInto("signing_secrets")
          .values({
            id: randomId(),
            application_id: applicationId,
            value: value ?? newSigningSecret(),
            created_at: now,
            not_after: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        leases.outdate();
        return secretOf(row);
      });
    },
    async secretsOf(applicationId) {
      const now = clock();
      const rows = await database
        .selectFrom("signing_secrets")
        .selectAll()
        .where("application_id", "=", applicationId)
        .where((where) => where.or([where("not_after", "is", null), where("not_after", ">=", now)]))
        .orderBy("seq", "desc")
        .execute();
      return rows.map(secretOf);
    },
  };
}

function secretOf(row: Selectable<Schema["signing_secrets"]>): SigningSecret {
  return {
    id: row.id,
    applicationId: row.application_id,
    value: row.value,
    createdAt: row.created_at,
    notAfter: row.not_after,
  };
}

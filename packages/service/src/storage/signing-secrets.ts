import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Clock, Instant } from "./instant.js";
import type { Leases } from "./leases.js";
import { randomId } from "./random-id.js";
import type { Schema } from "./schema.js";

/** A secret that signs deliveries. */
interface SigningSecret {
  readonly id: string;
  readonly applicationId: string;
  readonly value: string;
  readonly createdAt: Instant;
  /** Last moment at which receivers should take it; null for the one that signs. */
  readonly notAfter: Instant | null;
}

/** The signing secrets of applications. */
export interface SigningSecrets {
  /**
   * Make a new signing secret, and let the one so far end after the overlap. With `value`, take over
   * a secret that receivers already know.
   */
  rotateSecret(
    applicationId: string,
    options?: { readonly overlapMs?: number; readonly value?: string },
  ): Promise<SigningSecret>;
  /** Those still valid, newest first: the first one signs. */
  secretsOf(applicationId: string): Promise<readonly SigningSecret[]>;
}

/** Long enough to change the secret in every receiver. */
const DEFAULT_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Creates the secrets in a database, as plain text: deliveries are signed with them. */
export function createSigningSecrets(
  database: Database,
  clock: Clock,
  leases: Leases,
): SigningSecrets {
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

/** Make a signing secret: 256 random bits in hex. */
function newSigningSecret(): string {
  return randomBytes(32).toString("hex");
}

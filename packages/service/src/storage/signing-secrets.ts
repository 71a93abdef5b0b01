import type { SigningSecret, SigningSecrets } from "./application-store.js";
import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import type { Clock, Instant } from "../model/instant.js";
import type { Leases } from "./leases.js";
import { randomId } from "../model/random-id.js";
import type { Schema } from "./schema.js";

/** Long enough to replace the secret in every receiver. */
const DEFAULT_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** Creates the store of signing secrets in a database, in plain text because they sign deliveries. */
export function createSigningSecrets(
  database: Database,
  clock: Clock,
  leases: Leases,
): SigningSecrets {
  const validOf = async (
    within: Database,
    applicationId: string,
    now: Instant,
  ): Promise<readonly SigningSecret[]> => {
    const rows = await within
      .selectFrom("signing_secrets")
      .selectAll()
      .where("application_id", "=", applicationId)
      .where((where) => where.or([where("not_after", "is", null), where("not_after", ">", now)]))
      .orderBy("seq", "desc")
      .execute();
    return rows.map((row, index) => secretOf(row, index === rows.length - 1));
  };
  /** Sets when the current secret expires, and deletes secrets that have expired or would never sign. */
  const endAt = async (within: Database, applicationId: string, end: Instant): Promise<void> => {
    const signing = (await validOf(within, applicationId, clock())).at(-1);
    await within
      .deleteFrom("signing_secrets")
      .where("application_id", "=", applicationId)
      .where("id", "!=", signing?.id ?? "")
      .execute();
    await within
      .updateTable("signing_secrets")
      .set({ not_after: end })
      .where("application_id", "=", applicationId)
      .execute();
  };

  return {
    rotateSecret(applicationId, { overlapMs = DEFAULT_OVERLAP_MS, value } = {}) {
      return atomically(database, async (within) => {
        const now = clock();
        await endAt(within, applicationId, now + overlapMs * 1000);
        await within
          .insertInto("signing_secrets")
          .values({
            id: randomId(),
            application_id: applicationId,
            value: value ?? newSigningSecret(),
            created_at: now,
            not_after: null,
          })
          .execute();
        leases.outdate();
        const [newest] = await validOf(within, applicationId, now);
        return newest!;
      });
    },
    async finishRotation(applicationId) {
      const now = clock();
      const { numUpdatedRows } = await database
        .updateTable("signing_secrets")
        .set({ not_after: now })
        .where("application_id", "=", applicationId)
        .where("not_after", ">", now)
        .executeTakeFirst();
      leases.outdate();
      return numUpdatedRows > 0n;
    },
    secretsOf: (applicationId) => validOf(database, applicationId, clock()),
  };
}

function secretOf(row: Selectable<Schema["signing_secrets"]>, signs: boolean): SigningSecret {
  return {
    id: row.id,
    applicationId: row.application_id,
    value: row.value,
    createdAt: row.created_at,
    notAfter: row.not_after,
    signs,
  };
}

/** Generates a signing secret: 256 random bits in hex. */
function newSigningSecret(): string {
  return randomBytes(32).toString("hex");
}

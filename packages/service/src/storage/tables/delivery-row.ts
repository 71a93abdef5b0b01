import type { Selectable } from "kysely";
import type { StoredDelivery } from "../deliveries.js";
import type { DeliveryRow } from "../schema.js";

/** What is read of a delivery. */
export const COLUMNS = [
  "id",
  "application_id",
  "seq",
  "payload_count",
  "body_bytes",
  "created_at",
  "state",
  "attempts",
  "next_attempt_at",
  "last_status",
  "last_error",
] as const;

type ListedRow = Pick<Selectable<DeliveryRow>, (typeof COLUMNS)[number]>;

export function deliveryOf(row: ListedRow): StoredDelivery {
  return {
    id: row.id,
    applicationId: row.application_id,
    seq: row.seq,
    payloadCount: row.payload_count,
    bodyBytes: row.body_bytes,
    createdAt: row.created_at,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}

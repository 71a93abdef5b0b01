import { atomically } from "./atomically.js";
import type { Database } from "./database.js";
import { deleteDeliveries } from "./delete-deliveries.js";
import { inNumbers } from "./lists.js";
import type { Schema } from "./schema.js";

type PendingKind = Schema["pending_erasures"]["kind"];

/** Marks rows, by `seq`, for erasure once they end; returns how many were not yet marked. */
export async function eraseLater(
  database: Database,
  kind: PendingKind,
  seqs: readonly number[],
): Promise<number> {
  const marked = new Set(await pendingOf(database, kind));
  const rows = seqs.filter((seq) => !marked.has(seq)).map((target) => ({ kind, target }));
  // One at a time: there are few.
  for (const row of rows) await database.insertInto("pending_erasures").values(row).execute();
  return rows.length;
}

/** Marks the deliveries that contain marked outbox entries. */
export async function passOnErasures(
  database: Database,
  made: readonly { readonly seq: number; readonly from: readonly number[] }[],
): Promise<void> {
  const marked = new Set(await pendingOf(database, "outbox"));
  if (marked.size === 0) return;
  const isMarked = ({ from }: { from: readonly number[] }): boolean =>
    from.some((seq) => marked.has(seq));
  const seqs = made.filter(isMarked).map(({ seq }) => seq);
  await eraseLater(database, "delivery", seqs);
}

export function eraseEnded(database: Database): Promise<number> {
  return atomically(database, async (within) => {
    const deliveries = await within
      .selectFrom("pending_erasures")
      .innerJoin("deliveries", "deliveries.seq", "pending_erasures.target")
      .select("deliveries.seq")
      .where("pending_erasures.kind", "=", "delivery")
      .where("deliveries.state", "!=", "pending")
      .execute();
    if (deliveries.length > 0) {
      await deleteDeliveries(
        within,
        deliveries.map(({ seq }) => seq),
      );
    }
    const incidents = await within
      .deleteFrom("incidents")
      .where("ended_at", "is not", null)
      .where("seq", "in", inNumbers(within, await pendingOf(within, "incident")))
      .executeTakeFirst();
    await removeDone(within);
    return deliveries.length + Number(incidents.numDeletedRows);
  });
}

async function removeDone(database: Database): Promise<void> {
  for (const [kind, table] of [
    ["delivery", "deliveries"],
    ["outbox", "outbox"],
    ["incident", "incidents"],
  ] as const) {
    await database
      .deleteFrom("pending_erasures")
      .where("kind", "=", kind)
      .where("target", "not in", (query) => query.selectFrom(table).select("seq"))
      .execute();
  }
}

async function pendingOf(database: Database, kind: PendingKind): Promise<readonly number[]> {
  const rows = await database
    .selectFrom("pending_erasures")
    .select("target")
    .where("kind", "=", kind)
    .execute();
  return rows.map(({ target }) => target);
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { PruneLimits } from "./storage.js";
import type { Database } from "./database.js";
import { dialectOf, type LogPart } from "./dialect.js";
import { epochMsOf, type Instant } from "../model/instant.js";
import { pruneRateLimits } from "./rate-limiter.js";
import { deleteDeliveries } from "./delete-deliveries.js";

/** Rows deleted at a time, so that nothing waits long. */
const STEP = 500;

const NEVER = new AbortController().signal;

/** Deletes old rows of a table, in steps, and returns their number. */
type Prune = (table: string, condition: RawBuilder<unknown>, alias?: string) => Promise<number>;

/** Deletes expired windows and rows older than the limits, and returns their number. */
export async function pruneTables(
  database: Database,
  limits: PruneLimits,
  now: Instant,
  signal: AbortSignal = NEVER,
): Promise<number> {
  const dialect = dialectOf(database);
  await dialect.beginDays(database);
  const { ledgerBefore, eventsBefore, incidentsBefore, deliveriesBefore, decisionsBefore } = limits;
  const row = sql.ref(dialect.rowId);
  const prune: Prune = (table, condition, alias = table) =>
    inSteps(signal, async () => {
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where ${row} in (
          select ${row} from ${sql.table(table)} as ${sql.table(alias)} where ${condition} limit ${STEP}
        )
      `.execute(database);
      return Number(numAffectedRows);
    });
  const pruneBefore = (table: string, column: string, before: Instant | undefined) =>
    before === undefined ? 0 : prune(table, sql`${sql.ref(column)} < ${before}`);
  // The index of the windows begins with the application, so this condition makes it usable.
  const expired = sql`application_id in (select id from applications) and expires_at < ${now}`;
  let pruned = await prune("windows", expired);
  pruned += await pruneBefore("ledger", "occurred_at", ledgerBefore);
  if (eventsBefore !== undefined) pruned += await pruneLog(database, prune, eventsBefore);
  pruned += await pruneBefore("decisions", "received_at", decisionsBefore);
  pruned += await pruneBefore("labels", "received_at", decisionsBefore);
  pruned += await pruneBefore("incidents", "ended_at", incidentsBefore);
  pruned += await pruneBefore("responses", "ends_at", incidentsBefore);
  if (deliveriesBefore !== undefined)
    pruned += await inSteps(signal, () => pruneDeliveries(database, deliveriesBefore));
  await pruneRateLimits(database, epochMsOf(now));
  if (pruned > 0) await dialect.overwriteDeleted(database);
  return pruned;
}

/** Repeats a step until it finds nothing more. Between the steps, the process does other work. */
async function inSteps(signal: AbortSignal, step: () => Promise<number>): Promise<number> {
  for (let sum = 0; ;) {
    const count = await step();
    sum += count;
    if (count < STEP || signal.aborted) return sum;
    await nextTurn();
  }
}

/** Whether an entry of the log is still to be detected or to be put into a delivery. */
const IS_UNREAD = sql`exists (
  select 1 from cursors join applications on applications.id = cursors.application_id
  where cursors.application_id = log.application_id and cursors.position < log.seq
    and case cursors.consumer
      when 'detection' then log.cause is null
      else applications.webhook_url is not null and applications.disabled_at is null
    end
)`;

const IS_BEING_SENT = sql`exists (
  select 1 from deliveries
  where deliveries.application_id = log.application_id and deliveries.state = 'pending'
    and deliveries.first_seq <= log.seq and deliveries.last_seq >= log.seq
)`;

/**
 * Deletes old entries of the logs with their ids, except those that are still to be delivered. Logins
 * and counters are deleted as soon as detection has read them.
 */
async function pruneLog(database: Database, prune: Prune, before: Instant): Promise<number> {
  const newest = await database
    .selectFrom("log")
    .select("seq")
    .where("received_at", "<", before)
    .orderBy("received_at", "desc")
    .limit(1)
    .executeTakeFirst();
  let pruned = 0;
  for (const part of await dialectOf(database).logParts(database)) {
    pruned += await prunePart(database, prune, part, before);
  }
  return newest ? pruned + (await prune("event_ids", sql`log_seq <= ${newest.seq}`)) : pruned;
}

/** A day is dropped when all of it is old. If some of it waits, the rest is deleted in steps. */
async function prunePart(
  database: Database,
  prune: Prune,
  { table, drop }: LogPart,
  before: Instant,
): Promise<number> {
  if (drop) {
    const entries = sql`from ${sql.table(table)} as log`;
    const { rows } = await sql<{ isRecent: boolean; isAwaited: boolean }>`
      select
        exists (select 1 ${entries} where received_at >= ${before}) as "isRecent",
        exists (select 1 ${entries} where ${IS_UNREAD})
          or exists (select 1 ${entries} where ${IS_BEING_SENT}) as "isAwaited"
    `.execute(database);
    const { isRecent, isAwaited } = rows[0]!;
    if (isRecent) return 0;
    if (!isAwaited) return drop();
  }
  const isDone = sql`received_at < ${before} and not ${IS_UNREAD} and not ${IS_BEING_SENT}`;
  return prune(table, isDone, "log");
}

async function pruneDeliveries(database: Database, before: Instant): Promise<number> {
  const rows = await database
    .selectFrom("deliveries")
    .select("seq")
    .where("state", "!=", "pending")
    .where("created_at", "<", before)
    .limit(STEP)
    .execute();
  const seqs = rows.map(({ seq }) => seq);
  if (seqs.length > 0) await deleteDeliveries(database, seqs);
  return seqs.length;
}

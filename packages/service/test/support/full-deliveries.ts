import { join } from "node:path";
import { sql } from "kysely";
import type { Instant } from "../../src/model/instant.js";
import { openSqlite } from "../../src/storage/sqlite.js";
import type { Storage } from "../../src/storage/storage.js";

const DELIVERIES = 100_000;

const LAST_DELIVERIES = 60;

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;

/** Deliveries of a month, one of a thousand dead, as rows: the queue would take a minute. */
export async function addManyDeliveries(
  dataDir: string,
  applicationId: string,
  now: Instant,
): Promise<void> {
  const database = openSqlite({ path: join(dataDir, "riskgate.db"), maxBytes: undefined });
  const count = DELIVERIES - LAST_DELIVERIES;
  const from = now - 30 * DAY;
  await sql`
    insert into deliveries (
      id, application_id, body_bytes, payload_count, created_at, state, attempts, last_status
    )
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
    select
      lower(hex(randomblob(16))), ${applicationId}, 300 + n % 9000, 1 + n % 20,
      ${from} + n * ${Math.floor((30 * DAY - 3_600 * SECOND) / count)},
      case when n % 1000 = 0 then 'dead' else 'delivered' end,
      1 + n % 3, case when n % 1000 = 0 then 503 else 200 end
    from numbers
  `.execute(database);
  await database.destroy();
}

/** Some that are tried again, and a large one, whose id is returned. */
export async function addLastDeliveries(
  { deliveries }: Storage,
  applicationId: string,
  { seqs, clock }: { readonly seqs: readonly number[]; readonly clock: { now: Instant } },
): Promise<string> {
  const { now } = clock;
  let id = "";
  for (let left = LAST_DELIVERIES; left > 0; left--) {
    clock.now = now - left * 20 * SECOND;
    const [delivery] = await deliveries.create(applicationId, [
      { body: Buffer.alloc(132_000), seqs: seqs.slice(-200) },
    ]);
    if (!delivery) throw new Error("no delivery was made");
    const attempt = {
      startedAt: clock.now,
      durationMs: 31,
      status: left % 2 ? 503 : null,
      error: left % 2 ? null : "connect ECONNREFUSED 198.51.100.7:443",
      location: null,
      excerpt: left % 2 ? "<html><body>Service unavailable".repeat(20) : null,
    };
    const result = { state: "pending" as const, nextAttemptAt: now + 59 * MINUTE };
    await deliveries.recordAttempts([{ delivery, attempt, result }]);
    id = delivery.id;
  }
  clock.now = now;
  return id;
}

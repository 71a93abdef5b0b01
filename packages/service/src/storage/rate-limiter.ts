import type { Allowance, RequestCount } from "./storage.js";
import { CompiledQuery, sql } from "kysely";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Database } from "./database.js";
import { dialectOf } from "./dialect.js";
import type { GuardedServer } from "@riskgate/core/internal";

const TABLE = "rate_limits";

const DAY_MS = 86_400_000;

/** Creates `countRequest` of a storage, with one limiter for each allowance. */
export function createRequestCounter(
  database: Database,
  breaker: GuardedServer,
  aheadMs: () => number,
): (key: string, allowance: Allowance) => Promise<RequestCount> {
  const limiters = new Map<string, RateLimiterAbstract>();
  return async (key, allowance) => {
    const { points, duration } = allowance;
    const name = `${points}/${duration}`;
    const limiter = limiters.get(name) ?? createRateLimiter(database, breaker, aheadMs, allowance);
    limiters.set(name, limiter);
    let isRefused = false;
    const counted = await limiter.consume(key).catch((refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      isRefused = true;
      return refused;
    });
    return {
      isRefused,
      remaining: counted.remainingPoints,
      // Computed from the system clock, which may have been set back.
      resetMs: Math.min(counted.msBeforeNext, duration * 1000),
    };
  };
}

/**
 * Creates a rate limiter. On PostgreSQL all processes share the counts; while the database does not
 * respond, each process falls back to its own counts.
 */
function createRateLimiter(
  database: Database,
  breaker: GuardedServer,
  aheadMs: () => number,
  allowance: Allowance,
): RateLimiterAbstract {
  const alone = new RateLimiterMemory(allowance);
  if (!dialectOf(database).isShared) return alone;
  return new RateLimiterPostgres({
    ...allowance,
    // A changed quota starts a new window: the old one may last for a day.
    keyPrefix: `${allowance.points}/${allowance.duration}`,
    // An exhausted limit is not queried again before its window ends.
    inMemoryBlockOnConsumed: allowance.points,
    insuranceLimiter: alone,
    storeType: "client",
    storeClient: {
      query: (query: { readonly text: string; readonly values: readonly unknown[] }) =>
        breaker.run(() => countByDatabaseTime(database, query, aheadMs())),
    },
    tableName: TABLE,
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

/** Times are larger than this number of milliseconds, and counts smaller. */
const LEAST_TIME = 1e11;

/** Runs a query of the limiter, which knows only the clock of this machine. */
async function countByDatabaseTime(
  database: Database,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  aheadMs: number,
): Promise<unknown> {
  const shifted = values.map((value) =>
    typeof value === "number" ? Math.round(value > LEAST_TIME ? value - aheadMs : value) : value,
  );
  const { rows } = await database.executeQuery<{ expire?: number | null }>(
    CompiledQuery.raw(text, shifted),
  );
  return { rows: rows.map((row) => (row.expire ? { ...row, expire: row.expire + aheadMs } : row)) };
}

/** Deletes windows that have ended, or that a process with a clock far ahead started. */
export async function pruneRateLimits(database: Database, nowMs: number): Promise<void> {
  if (!dialectOf(database).isShared) return;
  const table = sql.table(TABLE);
  await sql`
    delete from ${table} where expire <= ${nowMs} or expire > ${nowMs + DAY_MS}
  `.execute(database);
}

import type { Allowance, RequestCount } from "./storage.js";
import { CompiledQuery, sql } from "kysely";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from "rate-limiter-flexible";
import type { Database } from "./database.js";
import { isPostgres } from "./engine.js";
import type { GuardedServer } from "@riskgate/core/internal";

const TABLE = "rate_limits";

const DAY_MS = 86_400_000;

/** Creates `countRequest` of a storage, with one limiter for each allowance. */
export function createRequestCounter(
  database: Database,
  breaker: GuardedServer,
): (key: string, allowance: Allowance) => Promise<RequestCount> {
  const limiters = new Map<string, RateLimiterAbstract>();
  return async (key, allowance) => {
    const { points, duration } = allowance;
    const name = `${points}/${duration}`;
    const limiter = limiters.get(name) ?? createRateLimiter(database, breaker, allowance);
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
  allowance: Allowance,
): RateLimiterAbstract {
  const alone = new RateLimiterMemory(allowance);
  if (!isPostgres(database)) return alone;
  return new RateLimiterPostgres({
    ...allowance,
    // An exhausted limit is not queried again before its window ends.
    inMemoryBlockOnConsumed: allowance.points,
    insuranceLimiter: alone,
    storeType: "client",
    storeClient: {
      query: ({ text, values }: { readonly text: string; readonly values: readonly unknown[] }) =>
        breaker.run(() => database.executeQuery(CompiledQuery.raw(text, values.map(whole)))),
    },
    tableName: TABLE,
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
}

/** Rounds times to whole milliseconds, as stored in the table. */
function whole(value: unknown): unknown {
  return typeof value === "number" ? Math.round(value) : value;
}

/** Deletes windows that have ended, or that a process with a clock far ahead started. */
export async function pruneRateLimits(database: Database, nowMs: number): Promise<void> {
  if (!isPostgres(database)) return;
  const table = sql.table(TABLE);
  await sql`
    delete from ${table} where expire <= ${nowMs} or expire > ${nowMs + DAY_MS}
  `.execute(database);
}

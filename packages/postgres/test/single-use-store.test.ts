import { setTimeout as pause } from "node:timers/promises";
import { RiskGateError } from "@riskgate/core";
import pg from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { hasPostgres, temporaryDatabase } from "../../../tools/test/postgres.js";
import { singleUseContract } from "../../../tools/test/single-use-contract.js";
import type { PostgresPool } from "../src/open-table.js";
import {
  createPostgresSingleUseStore,
  type PostgresSingleUseStoreOptions,
} from "../src/single-use-store.js";

const OPTIONS = { timeoutMs: 20_000 };
const TABLE = "riskgate_challenge_tokens";
const token = { network: "n", ttlMs: 360_000, maxUnsolved: 200, maxTotal: 5_000 };

/** Two pools, as two processes have them. */
async function openPools(): Promise<readonly [pg.Pool, pg.Pool]> {
  const connectionString = await temporaryDatabase();
  const open = (): pg.Pool => {
    const pool = new pg.Pool({ connectionString, max: 5 });
    pool.on("error", () => {});
    onTestFinished(async () => pool.end());
    return pool;
  };
  return [open(), open()];
}

describe.skipIf(!hasPostgres)("createPostgresSingleUseStore (without PostgreSQL: skipped)", () => {
  it.each(singleUseContract)("$id $title", async (check) => {
    const running = check.run({
      name: "postgres",
      async open() {
        const [one, two] = await openPools();
        return {
          store: createPostgresSingleUseStore(one, OPTIONS),
          other: createPostgresSingleUseStore(two, OPTIONS),
          advance: async (ms) => pause(ms),
          close: async () => {},
        };
      },
    });
    await expect(running).resolves.toBeUndefined();
  });

  it("CHL-03 accepts each of 100 tokens for one of two processes", async () => {
    const pools = await openPools();
    const stores = pools.map((pool) => createPostgresSingleUseStore(pool, OPTIONS));
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, n) =>
        Promise.all(stores.map(async (store) => store.use({ ...token, nonce: `${n}` }))),
      ),
    );
    expect(answers.filter((both) => both.toSorted().join() !== "new,used")).toEqual([]);
  });

  it("CHL-11 keeps a token exactly as long as it can be valid", async () => {
    const [pool] = await openPools();
    const store = createPostgresSingleUseStore(pool, OPTIONS);
    const use = async () => store.use({ ...token, nonce: "a" });
    expect(await use()).toBe("new");
    await store.solve({ nonce: "a", network: "n" });
    const { rows } = await pool.query<{ left: number; key: string }>(
      `select key, extract(epoch from ends_at - clock_timestamp())::float8 * 1000 as left from ${TABLE}`,
    );
    const [{ left, key } = { left: 0, key: "" }] = rows;
    expect([rows.length, key]).toEqual([1, "n a"]);
    expect(left).toBeGreaterThan(300_000);
    expect(left).toBeLessThanOrEqual(360_000);
    expect(await use()).toBe("used");
    await pool.query(`update ${TABLE} set ends_at = clock_timestamp()`);
    // An expired row that has not been removed: the token is new, and unsolved again.
    expect(await use()).toBe("new");
    expect((await pool.query(`select is_solved from ${TABLE}`)).rows).toEqual([
      { is_solved: false },
    ]);
  });

  it("CHL-11 holds the limit in a database that isolates transactions more strictly", async () => {
    const [pool] = await openPools();
    await pool.query(
      `do $$ begin execute format('alter database %I set default_transaction_isolation to serializable', current_database()); end $$`,
    );
    const strict = new pg.Pool({ ...pool.options, max: 10 });
    onTestFinished(async () => strict.end());
    const store = createPostgresSingleUseStore(strict, OPTIONS);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, n) =>
        store.use({ ...token, maxUnsolved: 20, nonce: `${n}` }),
      ),
    );
    expect(answers.filter((answer) => answer === "new")).toHaveLength(20);
  });

  it("CHL-11 leaves connections for other networks while one network waits", async () => {
    const [pool, other] = await openPools();
    const store = createPostgresSingleUseStore(pool, OPTIONS);
    await store.use({ ...token, nonce: "first" });
    const holder = await other.connect();
    await holder.query("select pg_advisory_lock(hashtextextended($1, 0))", [`${TABLE} n`]);
    let answered = 0;
    const flood = Array.from({ length: 1_500 }, async (_, n) => {
      const answer = await store.use({ ...token, nonce: `${n}` });
      answered++;
      return answer;
    });
    for (let n = 0; n < 10; n++) {
      expect(await store.use({ ...token, network: "m", nonce: `${n}` })).toBe("new");
    }
    // Those beyond the longest queue are refused at once.
    expect(answered).toBe(500);
    await holder.query("select pg_advisory_unlock_all()");
    holder.release();
    const answers = await Promise.all(flood);
    expect(answers.filter((answer) => answer === "new")).toHaveLength(199);
    expect(await store.use({ ...token, nonce: "first" })).toBe("used");
  });

  it("CHL-11 takes any text as a nonce and a network", async () => {
    const [pool] = await openPools();
    const store = createPostgresSingleUseStore(pool, OPTIONS);
    for (const text of ["'; drop table x; --", String.raw`\'`, "$1 ? ${} \u{1f4a5}", '"']) {
      const odd = { ...token, nonce: text, network: text };
      expect([await store.use(odd), await store.use(odd)]).toEqual(["new", "used"]);
      await store.solve(odd);
    }
  });

  it("CHL-11 removes expired tokens, at most 1,000 at once", async () => {
    const [pool] = await openPools();
    const removed: number[] = [];
    const watched: PostgresPool = {
      async query(text, values) {
        const result = await pool.query<{ count: string }>(text, values);
        if (text.includes("delete")) removed.push(Number(result.rows[0]?.count));
        return result;
      },
    };
    const store = createPostgresSingleUseStore(watched, OPTIONS);
    await store.use({ ...token, nonce: "a" });
    await pool.query(
      `insert into ${TABLE} select 'old ' || n, false, clock_timestamp() from generate_series(1, 2500) as n`,
    );
    await store.use({ ...token, nonce: "b" });
    expect(removed).toEqual([]);
    const laterMs = performance.now() + 60_001;
    vi.spyOn(performance, "now").mockReturnValue(laterMs);
    onTestFinished(() => void vi.restoreAllMocks());
    for (let n = 0; n < 3; n++) {
      await store.use({ ...token, nonce: `${n}` });
      await expect.poll(() => removed).toHaveLength(n + 1);
    }
    await store.use({ ...token, nonce: "c" });
    expect(removed).toEqual([1_000, 1_000, 500]);
    expect((await pool.query(`select key from ${TABLE}`)).rows).toHaveLength(6);
  });

  it("CHL-09 accepts no token while PostgreSQL does not answer", async () => {
    const causes: unknown[] = [];
    const pool = { query: async () => Promise.reject(new Error("down")) };
    const onError = ({ cause }: RiskGateError) => causes.push(cause);
    const store = createPostgresSingleUseStore(pool, { onError });
    for (let call = 0; call < 20; call++) {
      await expect(store.use({ ...token, nonce: "a" })).rejects.toBeInstanceOf(Error);
    }
    expect(causes).toHaveLength(1);
  });
});

it.each<[string, unknown, PostgresSingleUseStoreOptions]>([
  ["no pool", {}, {}],
  ["a table with blanks", { query() {} }, { table: "tokens; drop table users" }],
  ["an option that is not known", { query() {} }, { ttlMs: 1 } as PostgresSingleUseStoreOptions],
])("refuses %s", (_, pool, options) => {
  expect(() => createPostgresSingleUseStore(pool as PostgresPool, options)).toThrow(RiskGateError);
});

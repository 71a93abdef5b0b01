import { setTimeout as pause } from "node:timers/promises";
import { createVelocity, RiskGateError } from "@riskgate/core";
import { velocityStoreContract } from "@riskgate/testing";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, temporaryDatabase } from "../../../tools/test/postgres.js";
import type { PostgresPool } from "../src/open-table.js";
import {
  createPostgresVelocityStore,
  type PostgresVelocityStoreOptions,
} from "../src/velocity-store.js";

/** The parts of a window begin at multiples of it; the next such moment is in 2033. */
const WINDOW_MS = 1e12;

async function openPool(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: await temporaryDatabase(), max: 5 });
  pool.on("error", () => {});
  onTestFinished(async () => pool.end());
  return pool;
}

describe.skipIf(!hasPostgres)("createPostgresVelocityStore (without PostgreSQL: skipped)", () => {
  it.each(velocityStoreContract)("$id $title", async (check) => {
    const running = check.run({
      name: "postgres",
      windowMs: ["VEL-05", "VEL-12"].includes(check.id) ? 300 : WINDOW_MS,
      async open() {
        const pool = await openPool();
        const options = { timeoutMs: 20_000 };
        return {
          store: createPostgresVelocityStore(pool, options),
          other: createPostgresVelocityStore(pool, options),
          advance: async (ms) => pause(ms),
          close: async () => {},
        };
      },
    });
    await expect(running).resolves.toBeUndefined();
  });

  it("keeps no plain address", async () => {
    const pool = await openPool();
    const store = createPostgresVelocityStore(pool, { timeoutMs: 20_000 });
    await createVelocity({ store }).count({ email: "ada@shop.example", ip: "9.9.9.9" });
    const { rows } = await pool.query<{ row: string }>(
      "select encode(key, 'escape') as row from riskgate_velocity",
    );
    // Mailbox, address, network and domain; and the form in each, which counts once.
    expect(rows).toHaveLength(8);
    for (const { row } of rows) expect(row).not.toMatch(/ada|shop|9\.9/);
  });

  it("counts an own subject of several applications together", async () => {
    const pool = await openPool();
    const open = () =>
      createVelocity({
        store: createPostgresVelocityStore(pool, { timeoutMs: 20_000 }),
        by: { card: (request: { card: string }) => request.card },
        secret: "velocity-secret-of-at-least-32-bytes",
      });
    const applications = [open(), open()];
    const readings = [];
    for (let use = 0; use < 5; use++) {
      const velocity = applications.at(use % 2)!;
      const keys = velocity.keysOf!({ card: "4242" }, expect.unreachable);
      const junk = velocity.keysOf!({ card: `junk ${use}` }, expect.unreachable);
      // The same form with another value does not suppress the count.
      await velocity.count({ email: `p@shop${use}.example`, keys: junk });
      readings.push(await velocity.count({ email: `p@shop${use}.example`, keys }));
    }
    expect(readings.at(-1)?.signals).toEqual([{ name: "by.card", count: 5, weight: 75 }]);
  });

  it("keeps no digest that can be computed without the secret", async () => {
    const pool = await openPool();
    const secret = "0123456789abcdef0123456789abcdef";
    const digests = async (options: PostgresVelocityStoreOptions) => {
      const store = createPostgresVelocityStore(pool, { timeoutMs: 20_000, ...options });
      for (const counts of ["signups", "failed_logins"] as const) {
        await createVelocity({ store, counts }).count({ email: "ada@shop.example", ip: "9.9.9.9" });
      }
      const { rows } = await pool.query<{ key: string }>(
        "delete from riskgate_velocity returning encode(key, 'hex') as key",
      );
      return rows.map(({ key }) => key).toSorted();
    };
    const keyed = await digests({ secret });
    expect(keyed.length).toBeGreaterThan(5);
    expect(await digests({ secret: Buffer.from(secret) })).toEqual(keyed);
    for (const others of [await digests({}), await digests({ secret: `another ${secret}` })]) {
      expect(others).toHaveLength(keyed.length);
      expect(others.filter((digest) => keyed.includes(digest))).toEqual([]);
    }
  });

  it("makes its table once, whoever comes first", async () => {
    const pool = await openPool();
    await pool.query("create schema application");
    const options = { table: "application.velocity", timeoutMs: 20_000 };
    const stores = Array.from({ length: 5 }, () => createPostgresVelocityStore(pool, options));
    const visit = { counters: ["a"], windowMs: WINDOW_MS, adds: true };
    await Promise.all(stores.map(async (store) => store.tally(visit)));
    expect(await stores[0]?.tally({ ...visit, adds: false })).toEqual([5]);
  });

  it("leaves PostgreSQL alone while it does not answer", async () => {
    let asked = 0;
    const causes: unknown[] = [];
    const pool: PostgresPool = {
      query: async () => {
        asked++;
        throw new Error("the connection is refused");
      },
    };
    const store = createPostgresVelocityStore(pool, { onError: ({ cause }) => causes.push(cause) });
    for (let call = 0; call < 20; call++) {
      await expect(
        store.tally({ counters: ["a"], windowMs: 1_000, adds: true }),
      ).rejects.toBeInstanceOf(Error);
    }
    // One call, and the look whether it is back.
    expect(asked).toBe(2);
    expect(causes).toHaveLength(1);
  });
});

it.each<[string, unknown, PostgresVelocityStoreOptions]>([
  ["no pool", {}, {}],
  ["a table with blanks", { query() {} }, { table: "velocity; drop table users" }],
  ["a short secret", { query() {} }, { secret: "short" }],
  ["an option that is not known", { query() {} }, { ttlMs: 1 } as PostgresVelocityStoreOptions],
])("refuses %s", (_, pool, options) => {
  expect(() => createPostgresVelocityStore(pool as PostgresPool, options)).toThrow(RiskGateError);
});

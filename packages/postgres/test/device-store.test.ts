import { setTimeout as pause } from "node:timers/promises";
import { createDevices } from "@riskgate/core";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { deviceStoreContract } from "../../../tools/test/device-store-contract.js";
import { hasPostgres, temporaryDatabase } from "../../../tools/test/postgres.js";
import { createPostgresDeviceStore } from "../src/device-store.js";

const ANN = "ann@shop.example";

async function openPool(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: await temporaryDatabase(), max: 5 });
  pool.on("error", () => {});
  onTestFinished(async () => pool.end());
  return pool;
}

describe.skipIf(!hasPostgres)("createPostgresDeviceStore (without PostgreSQL: skipped)", () => {
  it.each(deviceStoreContract)("$id $title", async (check) => {
    const running = check.run({
      name: "postgres",
      async open() {
        const pool = await openPool();
        const options = { timeoutMs: 20_000 };
        return {
          store: createPostgresDeviceStore(pool, options),
          other: createPostgresDeviceStore(pool, options),
          advance: async (ms) => pause(ms),
          close: async () => {},
        };
      },
    });
    await expect(running).resolves.toBeUndefined();
  });

  it("revokes and clears for all processes, and keeps no personal data", async () => {
    const pool = await openPool();
    const open = () =>
      createDevices({
        secrets: "device-secret-of-at-least-32-bytes",
        store: createPostgresDeviceStore(pool, { timeoutMs: 20_000 }),
        timeoutMs: 20_000,
        maxFailures: 1,
      });
    const [one, two] = [open(), open()];
    const remember = async (): Promise<string> => {
      const headers = new Headers();
      await one.remember(headers, ANN);
      return headers.getSetCookie().join().split(";", 1).join("");
    };
    const fail = async (devices: typeof one, cookie: string): Promise<string> => {
      const made = await devices.tryOf({ headers: { cookie } }, ANN);
      made.end(true);
      return made.standing;
    };
    const stolen = await remember();
    expect([await fail(one, stolen), await fail(two, stolen)]).toEqual(["known", "revoked"]);
    const cleared = await remember();
    await pause(2);
    await two.clear(ANN);
    expect(await fail(one, cleared)).toBe("new");
    const { rows } = await pool.query("select * from riskgate_devices");
    expect(rows).not.toHaveLength(0);
    expect(JSON.stringify(rows)).not.toMatch(/ann|shop/);
  });

  it("makes every device new while it is away", async () => {
    const codes: string[] = [];
    const pool = { query: async () => Promise.reject(new Error("down")) };
    const devices = createDevices({
      secrets: "device-secret-of-at-least-32-bytes",
      store: createPostgresDeviceStore(pool, { onError: () => {} }),
      onError: ({ code }) => codes.push(code),
    });
    const headers = new Headers();
    await devices.remember(headers, ANN);
    const cookie = headers.getSetCookie().join();
    expect((await devices.tryOf({ headers: { cookie } }, ANN)).standing).toBe("new");
    expect(codes).toEqual(["STORE_FAILED"]);
  });
});

import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../../src/service.js";
import {
  copyDatabase,
  databaseStatus,
  migrateDatabase,
} from "../../../src/storage/copy-database.js";
import { derivedEntry } from "../../../src/model/derived-entry.js";
import { bodyOf } from "../../../src/model/delivery-body.js";
import { MIGRATION_NAMES } from "../../../src/storage/migrations.js";
import { openPostgresStorage, openStorage } from "../../../src/storage/open-storage.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { temporaryDirectory } from "../../support/temporary-storage.js";

const TOKEN = "admin-token-of-the-tests";

/** Ends every connection of a service to a database, as a restart of the server does. */
async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(`
    select pid, pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'riskgate'
  `);
  const pids = rows.map(({ pid }) => pid);
  const left = "select pid from pg_stat_activity where pid = any($1)";
  await expect.poll(async () => (await client.query(left, [pids])).rows).toEqual([]);
  await client.end();
}

/** A data directory with something in every kind of table. */
async function filledDirectory(): Promise<string> {
  const path = await temporaryDirectory();
  const service = await createService({ dataDir: path, adminToken: TOKEN, dispatch: false });
  const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const post = async (target: string, body: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${adminUrl}/admin/v1${target}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return (await response.json()) as Record<string, unknown>;
  };
  const created = await post("/applications", {
    name: "Shop",
    webhookUrl: "https://hooks.example/",
  });
  const { id } = created["application"] as { id: string };
  await post(`/applications/${id}/playbooks`, { name: "Block", rule: { kinds: ["xss"] } });
  await post(`/applications/${id}/events`, [{ event_kind: "xss", ips: ["8.8.8.8"] }]);
  await service.close();
  const storage = await openStorage(path);
  const {
    entries: [entry],
  } = await storage.outbox.take(id, 1);
  const body = bodyOf({ elements: entry ? [entry] : [] });
  const made = await storage.deliveries.create(id, [{ body, seqs: [entry?.seq ?? 0] }]);
  const attempt = {
    startedAt: 1,
    durationMs: 2,
    status: 500,
    error: null,
    location: null,
    excerpt: "no",
  };
  await storage.deliveries.recordAttempts(
    made.map((delivery) => ({ delivery, attempt, result: { state: "dead" } })),
  );
  await storage.close();
  return path;
}

describe.skipIf(!hasPostgres)(
  hasPostgres ? "a service on PostgreSQL" : "a service on PostgreSQL (no server: skipped)",
  () => {
    it("goes on after the server has ended its connection, and is not ready meanwhile", async () => {
      const database = await temporaryDatabase();
      const errors: unknown[] = [];
      const service = await createService({
        database,
        adminToken: TOKEN,
        onError: (error) => errors.push(error),
      });
      onTestFinished(() => service.close());
      const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
      const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
      const list = async (): Promise<number> =>
        (await fetch(`${adminUrl}/admin/v1/applications`, { headers })).status;
      const body = '{"name":"Shop"}';
      await fetch(`${adminUrl}/admin/v1/applications`, { method: "POST", headers, body });
      await endConnections(database);
      await expect.poll(list).toBe(200);
      await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
      const answer = await fetch(`${adminUrl}/admin/v1/applications`, { headers });
      expect(await answer.json()).toMatchObject({ applications: [{ name: "Shop" }] });
    });

    it("shares the database with the process that uses it, and outlasts that", async () => {
      const database = await temporaryDatabase();
      const first = await openPostgresStorage(database);
      const { id } = await first.applications.create({ name: "Shop" });
      const second = await openPostgresStorage(database);
      onTestFinished(() => second.close());
      expect(await second.applications.get(id)).toMatchObject({ name: "Shop" });
      await first.close();
      expect(await second.applications.get(id)).toMatchObject({ name: "Shop" });
    });

    it("keeps nothing of a transaction that failed", async () => {
      const storage = await openPostgresStorage(await temporaryDatabase());
      onTestFinished(() => storage.close());
      const failing = storage.transaction(async ({ applications }) => {
        await applications.create({ name: "Shop" });
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await storage.applications.list()).toEqual([]);
    });

    it("ends every connection when it is closed, also those that it never used", async () => {
      const database = await temporaryDatabase();
      const storage = await openPostgresStorage(database);
      await storage.close();
      const client = new pg.Client(database);
      await client.connect();
      const left = async () => {
        const { rows } = await client.query<{ count: string }>(
          "select count(*) from pg_stat_activity where application_name = 'riskgate' and datname = current_database()",
        );
        return rows[0]?.count;
      };
      await expect.poll(left).toBe("0");
      await client.end();
    });

    it.each([
      ["what is no URL of PostgreSQL", "mysql://localhost/x", "CONFIG_INVALID"],
      ["a server that is not there", "postgres://127.0.0.1:1/x", "STORE_FAILED"],
    ])("refuses %s without its password", async (_, url, code) => {
      const secret = url.replace("//", "//user:the-password@");
      const error = await openPostgresStorage(secret).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code });
      expect((error as Error).message).not.toContain("the-password");
    });
  },
);

describe.skipIf(!hasPostgres)("copyDatabase", () => {
  it("copies a data directory with all that is in it", async () => {
    const dataDir = await filledDirectory();
    const database = await temporaryDatabase();
    const seen: string[] = [];
    const counts = await copyDatabase({
      dataDir,
      database,
      onProgress: ({ table }) => seen.push(table),
    });
    expect(counts).toMatchObject({
      applications: 1,
      log: 3,
      event_ids: 1,
      playbooks: 1,
      deliveries: 1,
      attempts: 1,
    });
    expect(seen).toContain("log");

    const [from, to] = await Promise.all([openStorage(dataDir), openPostgresStorage(database)]);
    onTestFinished(async () => {
      await Promise.all([from.close(), to.close()]);
    });
    for (const read of [
      (storage: typeof from) => storage.applications.list(),
      (storage: typeof from) => storage.events.list(),
      (storage: typeof from) => storage.incidents.list(),
      (storage: typeof from) => storage.deliveries.list(),
      (storage: typeof from) => storage.outbox.backlog(),
    ]) {
      expect(await read(to)).toEqual(await read(from));
    }
    const { id = "", seq = 0 } = (await to.deliveries.list()).at(0) ?? {};
    const bodies = [from, to].map((storage) => storage.deliveries.bodyOf(id));
    const [original, copied] = await Promise.all(bodies);
    expect(Buffer.from(copied ?? [])).toEqual(Buffer.from(original ?? []));
    expect(Buffer.from(copied ?? []).toString()).toContain("8.8.8.8");
    // Numbers go on behind those that were copied.
    const made = await to.deliveries.create("another", [{ body: Buffer.from("[]"), seqs: [] }]);
    expect(made.at(0)?.seq).toBe(seq + 1);
    const [application] = await to.applications.list();
    const entries = [derivedEntry({ type: "test", payload: {} })];
    const [appended] = await to.log.append([{ applicationId: application?.id ?? "", entries }]);
    const { entries: all } = await to.outbox.take(application?.id ?? "", 9);
    expect(appended).toEqual([Math.max(...all.map((one) => one.seq))]);
    expect(all.length).toBeGreaterThan(1);
  });

  it("refuses a database that is not empty, and a directory that is none", async () => {
    const database = await temporaryDatabase();
    const dataDir = await filledDirectory();
    await copyDatabase({ dataDir, database });
    await expect(copyDatabase({ dataDir, database })).rejects.toThrow("the database is not empty");
    await expect(copyDatabase({ dataDir: "/nowhere", database })).rejects.toThrow(
      "no database found in",
    );
  });
});

describe.skipIf(!hasPostgres)("databaseStatus", () => {
  it("tells what is pending, and what there is, while a service runs", async () => {
    const database = await temporaryDatabase();
    expect(await databaseStatus(database)).toMatchObject({
      migrations: [],
      pending: MIGRATION_NAMES,
    });
    expect(await migrateDatabase(database)).toMatchObject({ pending: [], tables: { log: 0 } });
    const storage = await openPostgresStorage(database);
    onTestFinished(() => storage.close());
    await storage.applications.create({ name: "Shop" });
    expect(await databaseStatus(database)).toMatchObject({ tables: { applications: 1 } });
  });
});

import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../src/index.js";
import { hasPostgres, temporaryDatabase } from "../support/postgres.js";

const TOKEN = "administration-token-1";

interface Created {
  readonly application: { readonly id: string };
  readonly key: string;
}

/** A service that refuses reports once detection is a second behind, with two applications. */
async function openShops() {
  const database = await temporaryDatabase();
  const rules = { maxLagMs: 1_000 };
  const service = await createService({ database, rules, adminToken: TOKEN, dispatch: false });
  onTestFinished(() => service.close());
  const { url, adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const post = (address: string, headers: Record<string, string>, body: unknown) =>
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const create = async (path: string, body: object): Promise<Created> =>
    (await (
      await post(`${adminUrl}/admin/v1${path}`, { authorization: `Bearer ${TOKEN}` }, body)
    ).json()) as Created;
  const addShop = async (name: string) => {
    const { application } = await create("/applications", { name });
    const path = `/applications/${application.id}/keys`;
    const { key } = await create(path, { scope: "report" });
    const report = (kind = "events", body: object = { event_kind: "xss" }) =>
      post(`${url}/v1/reports/${kind}`, { "x-api-key": key }, kind === "counters" ? body : [body]);
    return { id: application.id, report };
  };
  const readiness = async () => {
    const answer = await fetch(`${url}/readyz`);
    return { code: answer.status, ...((await answer.json()) as object) };
  };
  return { database, shop: await addShop("shop"), forum: await addShop("forum"), readiness };
}

/** Stops the detection of an application until `end` is called, as a slow database does. */
async function stall(connectionString: string, applicationId: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  const cursor = "select 1 from cursors where application_id = $1 for update";
  await client.query(cursor, [applicationId]);
  return { end: () => client.query("rollback") };
}

const title = "an application with which detection is behind";
describe.skipIf(!hasPostgres)(hasPostgres ? title : `${title} (no server: skipped)`, () => {
  it("is refused until detection has caught up, and others are not", async () => {
    const { database, shop, forum, readiness } = await openShops();
    const stalled = await stall(database, shop.id);
    const wait = { timeout: 60_000, interval: 100 };
    await expect.poll(async () => (await shop.report()).status, wait).toBe(503);
    for (const [kind, body] of [
      ["events", { event_kind: "xss" }],
      ["logins", { account: "ada@shop.example", success: false }],
      ["counters", { http4xx: 5 }],
    ] as const) {
      const refused = await shop.report(kind, body);
      expect(refused.status).toBe(503);
      expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await refused.json()).toMatchObject({
        message: "detection is behind with this application",
      });
    }
    expect((await forum.report()).status).toBe(200);
    expect(await readiness()).toEqual({
      code: 200,
      status: "ready",
      detection: { behindSeconds: expect.any(Number) },
    });
    await stalled.end();
    await expect.poll(async () => (await shop.report()).status, wait).toBe(200);
    await expect.poll(readiness, wait).toEqual({ code: 200, status: "ready" });
  }, 180_000);
});

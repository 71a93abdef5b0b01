import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../../src/service.js";
import { copyDatabase } from "../../../src/storage/copy-database.js";
import { openPostgresStorage } from "../../../src/storage/open-storage.js";
import { hasPostgres, temporaryDatabase } from "../../support/postgres.js";
import { temporaryDirectory } from "../../support/temporary-storage.js";

const TOKEN = "admin-token-of-the-tests";

/** A service whose application reports events one after the other, until it is stopped. */
async function reportingService(dataDir: string) {
  const service = await createService({ dataDir, adminToken: TOKEN, dispatch: false });
  onTestFinished(() => service.close());
  const { adminUrl } = await service.listen({ port: 0, host: "127.0.0.1" });
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${adminUrl}/admin/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return response.json();
  };
  const { application } = (await post("/applications", { name: "Shop" })) as {
    application: { id: string };
  };
  const accepted: string[] = [];
  const stopping = new AbortController();
  const reporting = (async () => {
    while (!stopping.signal.aborted) {
      const id = `event-${accepted.length}`;
      const event = { event_id: id, event_kind: "auth_bruteforce", ips: ["8.8.8.8"] };
      await post(`/applications/${application.id}/events`, [event]);
      accepted.push(id);
    }
  })();
  return {
    accepted,
    stop: () => {
      stopping.abort();
      return reporting;
    },
  };
}

describe.skipIf(!hasPostgres)("copyDatabase of a snapshot", () => {
  it("has everything up to a point in time, while the service accepts reports", async () => {
    const dataDir = await temporaryDirectory();
    const { accepted, stop } = await reportingService(dataDir);
    await expect.poll(() => accepted.length).toBeGreaterThan(20);
    const database = await temporaryDatabase();
    await expect(copyDatabase({ dataDir, database })).rejects.toThrow("is in use by process");

    const before = accepted.length;
    const counts = await copyDatabase({ dataDir, database, snapshot: true });
    const during = accepted.length;
    await stop();
    // Copying to PostgreSQL takes longer than a report.
    expect(during).toBeGreaterThan(before);

    const storage = await openPostgresStorage(database);
    onTestFinished(() => storage.close());
    const copied = (await storage.events.list({ limit: 10_000 })).map(({ id }) => id).toReversed();
    expect(copied.length).toBeGreaterThanOrEqual(before);
    expect(copied).toEqual([...accepted, `event-${accepted.length}`].slice(0, copied.length));
    expect(counts.event_ids).toBe(copied.length);
    expect(await storage.incidents.countOpen()).toBe(counts.incidents);
  });

  it("opens as a service, which continues", async () => {
    const dataDir = await temporaryDirectory();
    const { accepted, stop } = await reportingService(dataDir);
    await expect.poll(() => accepted.length).toBeGreaterThan(5);
    const database = await temporaryDatabase();
    await copyDatabase({ dataDir, database, snapshot: true });
    await stop();
    const service = await createService({ database, adminToken: TOKEN, dispatch: false });
    onTestFinished(() => service.close());
    const { url } = await service.listen({ port: 0, host: "127.0.0.1" });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

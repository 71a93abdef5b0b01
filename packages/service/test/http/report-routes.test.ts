import { describe, expect, it, onTestFinished } from "vitest";
import { createService } from "../../src/service.js";
import { schemaProblems } from "../support/openapi-document.js";
import { serveApi } from "../support/served-api.js";
import { temporaryDirectory } from "../support/temporary-storage.js";

const PATHS = [
  "/v1/reports/events",
  "/v1/reports/logins",
  "/v1/reports/counters",
  "/v1/reports/decisions",
  "/v1/labels",
] as const;

const post = (url: string, headers: Record<string, string>, body: unknown = []) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

describe("the report routes", () => {
  it("hand reports to the intake, under the application of the key", async () => {
    const { url, calls, storage, application } = await serveApi();
    const { key } = await storage.applications.addKey(application.id, "report");
    for (const path of PATHS) {
      expect((await post(url + path, { "x-api-key": key }, [path])).status).toBe(200);
    }
    expect(calls).toEqual([
      ["report", application, [PATHS[0]], {}],
      ["outcomes", application, [PATHS[1]], {}],
      ["counters", application, [PATHS[2]], {}],
      ["decisions", application, [PATHS[3]]],
      ["labels", application, [PATHS[4]]],
    ]);
  });

  it.each([
    ["wait=5", 5],
    ["respond-async, wait=7", 7],
    ["wait=600", 30],
    ["wait=0", 0],
    ["wait=soon", 0],
    ["nowait=3", 0],
  ])(
    "wait for what follows as long as `Prefer: %s` says, up to 30 seconds",
    async (prefer, seconds) => {
      const { url, calls, storage, application } = await serveApi();
      const { key } = await storage.applications.addKey(application.id, "report");
      const answer = await post(url + PATHS[0], { "x-api-key": key, prefer });
      const applied = answer.headers.get("preference-applied");
      expect(applied).toBe(seconds === 0 ? null : `wait=${seconds}`);
      const how = calls[0]?.[3] as { waitMs?: number };
      expect(how.waitMs).toBe(seconds === 0 ? undefined : seconds * 1_000);
    },
  );

  it.each(PATHS)("refuse at %s every key except report keys", async (path) => {
    const { url, key, calls, storage, application } = await serveApi();
    const revoked = await storage.applications.addKey(application.id, "report");
    await storage.applications.revokeKey(application.id, revoked.record.id);
    for (const given of [key, revoked.key, "", "rgr_wrong", undefined]) {
      const answer = await post(url + path, given === undefined ? {} : { "x-api-key": given });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: 401, details: "Invalid report key" });
    }
    expect(calls).toEqual([]);
  });

  it("drop from an element what would become its prototype, and nothing else", async () => {
    const { url, calls, storage, application } = await serveApi();
    const { key } = await storage.applications.addKey(application.id, "report");
    const headers = { "content-type": "application/json", "x-api-key": key };
    const body = '[{"event_kind":"xss","__proto__":{"id":"x"}},{"event_kind":"lfi"}]';
    const answer = await fetch(`${url}${PATHS[0]}`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
    const events = [{ event_kind: "xss" }, { event_kind: "lfi" }];
    expect(calls).toEqual([["report", application, events, {}]]);
    expect(JSON.stringify(calls)).not.toContain("__proto__");
  });

  it("refuse a stranger before the body", async () => {
    const { url } = await serveApi({ maxBodyBytes: 10 });
    const body = "x".repeat(1_000);
    expect((await post(url + PATHS[0], {}, body)).status).toBe(401);
  });

  it("parse nothing that is nested deeply, however well it is authorised", async () => {
    const { url, calls, storage, application } = await serveApi();
    const { key } = await storage.applications.addKey(application.id, "report");
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const send = (depth: number) => {
      const body = "[".repeat(depth) + "]".repeat(depth);
      return fetch(url + PATHS[0], { method: "POST", headers, body });
    };
    const refused = await send(65);
    expect(refused.status).toBe(400);
    const details = "The body is nested more than 64 levels deep";
    expect(await refused.json()).toMatchObject({ code: 400, details });
    expect(calls).toEqual([]);
    expect((await send(64)).status).toBe(200);
    expect(calls).toHaveLength(1);
  });

  it("take no other method", async () => {
    const { url, storage, application } = await serveApi();
    const { key } = await storage.applications.addKey(application.id, "report");
    const answer = await fetch(url + PATHS[0], { headers: { "x-api-key": key } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });

  it("forget a key that is revoked", async () => {
    const { url, admin, application } = await serveApi();
    const made = await admin("POST", `/applications/${application.id}/keys`, { scope: "report" });
    const { key, record } = made.body as { key: string; record: { id: string } };
    expect((await post(url + PATHS[0], { "x-api-key": key })).status).toBe(200);
    await admin("DELETE", `/applications/${application.id}/keys/${record.id}`);
    expect((await post(url + PATHS[0], { "x-api-key": key })).status).toBe(401);
  });
});

describe("a key for reports", () => {
  it("is made by the administration API, and is named in the list", async () => {
    const { admin, application } = await serveApi();
    const path = `/applications/${application.id}/keys`;
    const made = await admin("POST", path, { scope: "report" });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ record: { scope: "report" } });
    const { keys } = (await admin("GET", path)).body as { keys: { scope: string }[] };
    expect(keys.map(({ scope }) => scope)).toEqual(["lookup", "report"]);
    expect((await admin("POST", path, { scope: "everything" })).status).toBe(400);
  });

  it("is refused by lookups and by the administration API", async () => {
    const { adminUrl, storage, application, get } = await serveApi();
    const { key } = await storage.applications.addKey(application.id, "report");
    expect((await get("/v1/ips/8.8.8.8", [["X-API-Key", key]])).status).toBe(401);
    expect((await get("/v1/emails/a@b.test", [["X-API-Key", key]])).status).toBe(401);
    const asToken = { authorization: `Bearer ${key}`, "x-api-key": key };
    const answer = await fetch(`${adminUrl}/admin/v1/applications`, { headers: asToken });
    expect(answer.status).toBe(401);
  });
});

describe("a service", () => {
  it("answers reports as openapi.yaml says, and without the administration API", async () => {
    const dataDir = await temporaryDirectory();
    const adminToken = "choose-a-long-random-token";
    const first = await createService({ dataDir, adminToken });
    const { adminUrl } = await first.listen({ port: 0, host: "127.0.0.1" });
    const call = async (path: string, body: unknown) => {
      const answer = await post(
        `${adminUrl}/admin/v1${path}`,
        { authorization: `Bearer ${adminToken}` },
        body,
      );
      return (await answer.json()) as { application: { id: string }; key: string };
    };
    const { application } = await call("/applications", { name: "Shop" });
    const { key } = await call(`/applications/${application.id}/keys`, { scope: "report" });
    await first.close();

    const second = await createService({ dataDir });
    onTestFinished(() => second.close());
    const served = await second.listen({ port: 0, host: "127.0.0.1" });
    const report = { $ref: "#/components/schemas/Report" };
    for (const [path, body, counts] of [
      [PATHS[0], [{ event_kind: "xss" }, { event_kind: "<no name>" }], [1, 1]],
      [PATHS[1], [{ account: "a@b.test", address: "203.0.113.7", success: false }], [1, 0]],
      [PATHS[2], { failedLogins: 3 }, [1, 0]],
    ] as const) {
      const answer = await post(served.url + path, { "x-api-key": key }, body);
      expect(answer.status).toBe(200);
      const given = (await answer.json()) as { accepted: number; refused: number };
      expect([given.accepted, given.refused]).toEqual(counts);
      expect(schemaProblems(report, given)).toEqual([]);
    }
  });
});

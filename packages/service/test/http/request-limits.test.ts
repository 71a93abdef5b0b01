import { createRiskClient } from "@riskgate/core";
import { rawRequest, type RawAnswer } from "@riskgate/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Json, type ServedApi, serveApi } from "../support/served-api.js";

const limitsOf = (answer: RawAnswer): unknown[] => [
  answer.status,
  answer.header("ratelimit-policy"),
  answer.header("ratelimit"),
  answer.header("retry-after"),
];

/** Creates a key with a quota over the administration API. */
async function addKey({ admin, application }: ServedApi, body: Json): Promise<string> {
  const { status, body: added } = await admin("POST", `/applications/${application.id}/keys`, body);
  expect(status).toBe(201);
  return added["key"] as string;
}

/** Lets the test move the clock of the limits. */
function fakeDate(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

describe("the quota of a key", () => {
  it("limits its lookups alone, says what is left and starts again after the window", async () => {
    fakeDate();
    const api = await serveApi();
    const key = await addKey(api, { quota: { requests: 2, seconds: 30 } });
    const get = () => api.get("/v1/ips/8.8.8.8", [["X-API-Key", key]]);
    const policy = '"key";q=2;w=30';
    expect(limitsOf(await get())).toEqual([200, policy, '"key";r=1;t=30', undefined]);
    vi.advanceTimersByTime(10_000);
    expect(limitsOf(await get())).toEqual([200, policy, '"key";r=0;t=20', undefined]);
    const refused = await get();
    expect(limitsOf(refused)).toEqual([429, policy, '"key";r=0;t=20', "20"]);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 429, errno: 429, info: "" });
    expect(limitsOf(await api.get("/v1/ips/8.8.8.8"))).toEqual([
      200,
      undefined,
      undefined,
      undefined,
    ]);
    vi.advanceTimersByTime(20_000);
    expect((await get()).status).toBe(200);
  });

  it("comes before the limit of a sandbox", async () => {
    fakeDate();
    const api = await serveApi({
      application: { kind: "sandbox" },
      rateLimit: { burst: 3, perSecond: 0.5 },
    });
    const key = await addKey(api, { quota: { requests: 1 } });
    const get = () => api.get("/v1/ips/8.8.8.8", [["X-API-Key", key]]);
    expect(limitsOf(await get())).toEqual([
      200,
      '"key";q=1;w=60, "sandbox";q=3;w=6',
      '"key";r=0;t=60, "sandbox";r=2;t=6',
      undefined,
    ]);
    expect(limitsOf(await get())).toEqual([429, '"key";q=1;w=60', '"key";r=0;t=60', "60"]);
    const sandbox = await api.get("/v1/ips/8.8.8.8");
    expect(limitsOf(sandbox).slice(1, 3)).toEqual(['"sandbox";q=3;w=6', '"sandbox";r=1;t=6']);
  });

  it("limits reports", async () => {
    const api = await serveApi();
    const key = await addKey(api, { scope: "report", quota: { requests: 1 } });
    const send = () =>
      rawRequest(api.port, {
        path: "/v1/reports/events",
        headers: [
          ["X-API-Key", key],
          ["Content-Type", "application/json"],
        ],
        body: "[]",
      });
    expect((await send()).status).toBe(200);
    const refused = await send();
    expect([refused.status, refused.header("ratelimit-policy")]).toEqual([429, '"key";q=1;w=60']);
    expect(Number(refused.header("retry-after"))).toBeGreaterThan(50);
    expect(api.calls.filter(([name]) => name === "report")).toHaveLength(1);
  });

  it("is obeyed by the client, which sends nothing before Retry-After", async () => {
    const api = await serveApi();
    const apiKey = await addKey(api, { quota: { requests: 1 } });
    const client = createRiskClient({ baseUrl: api.url, apiKey });
    onTestFinished(() => client.close());
    const addresses = ["8.8.8.8", "8.8.4.4", "9.9.9.9"];
    const results = await client.lookupMany(addresses, { concurrency: 1 });
    expect(results).toMatchObject([
      { status: "fulfilled" },
      { reason: { code: "RATE_LIMITED", status: 429 } },
      { reason: { code: "RATE_LIMITED", message: expect.stringContaining("no request sent") } },
    ]);
  });

  it("changes without a new key, and then starts again", async () => {
    const api = await serveApi();
    const key = await addKey(api, { quota: { requests: 1, seconds: 86_400 } });
    const path = `/applications/${api.application.id}/keys`;
    const keys = (await api.admin("GET", path)).body["keys"] as Json[];
    const one = `${path}/${keys[1]?.["id"] as string}`;
    const statuses = async (count: number): Promise<unknown[]> => {
      const answers = [];
      for (let sent = 0; sent < count; sent++) {
        answers.push((await api.get("/v1/ips/8.8.8.8", [["X-API-Key", key]])).status);
      }
      return answers;
    };
    expect(await statuses(2)).toEqual([200, 429]);
    const quota = { requests: 2, seconds: 60 };
    expect(await api.admin("PATCH", one, { quota })).toMatchObject({
      status: 200,
      body: { key: { id: keys[1]?.["id"], quota } },
    });
    expect(await statuses(3)).toEqual([200, 200, 429]);
    expect((await api.admin("PATCH", one, { quota: null })).status).toBe(200);
    expect(await statuses(3)).toEqual([200, 200, 200]);
    for (const body of [undefined, {}, { quota: {} }, { quota: null, scope: "report" }]) {
      expect((await api.admin("PATCH", one, body)).status, JSON.stringify(body)).toBe(400);
    }
    expect((await api.admin("PATCH", `${path}/x`, { quota })).status).toBe(404);
    await api.admin("DELETE", one);
    expect((await api.admin("PATCH", one, { quota })).status).toBe(404);
  });

  it("is shown with the key, and refused if it is not a quota", async () => {
    const api = await serveApi();
    await addKey(api, { quota: { requests: 5 } });
    const path = `/applications/${api.application.id}/keys`;
    expect((await api.admin("GET", path)).body["keys"]).toMatchObject([
      { quota: null },
      { quota: { requests: 5, seconds: 60 } },
    ]);
    for (const quota of [
      {},
      { requests: 0 },
      { requests: 1, seconds: 86_401 },
      { request: 1 },
      5,
    ]) {
      expect((await api.admin("POST", path, { quota })).status, JSON.stringify(quota)).toBe(400);
    }
  });
});

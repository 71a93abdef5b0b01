import { createRiskClient } from "@riskgate/core";
import { afterEach, describe, expect, it } from "vitest";
import {
  createFakeService,
  type FakeService,
  type FakeServiceOptions,
} from "../../src/fake/fake-service.js";
import { SERVICE_FAULTS } from "../../src/fake/service-fault.js";

const opened: { close(): Promise<void> }[] = [];
async function open(options?: FakeServiceOptions): Promise<FakeService> {
  const service = await createFakeService(options);
  opened.push(service);
  return service;
}
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

const get = async ({ baseUrl, apiKey }: FakeService, path: string, key = apiKey) => {
  const response = await fetch(baseUrl + path, { headers: { "x-api-key": key } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe("createFakeService", () => {
  it.each([
    ["a misspelled option", { answer: {} }, "`answer`: unknown option; did you mean `answers`?"],
    ["a key that is not text", { apiKey: 5 }, "`apiKey` must be a string, given 5"],
  ])("refuses %s", async (_, options, message) => {
    await expect(createFakeService(options as FakeServiceOptions)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message,
    });
  });

  it("answers by identifier in the shape of the specification", async () => {
    const service = await open({ answers: { "a+b@x.y": { risk_score: 90 } } });
    const { status, body } = await get(service, "/v1/emails/a%2Bb%40x.y");
    expect(status).toBe(200);
    expect(body).toMatchObject({ email: "a+b@x.y", risk_score: 90 });
    expect(Object.keys(body)).toHaveLength(8);
    const ip = await get(service, "/v1/ips/2001%3Adb8%3A%3A1");
    expect(ip.body).toMatchObject({ ip: "2001:db8::1", ip_version: 6, risk_score: 0 });
    expect(Object.keys(ip.body)).toHaveLength(12);
    expect(service.requests.map(({ path }) => path)).toEqual([
      "/v1/emails/a%2Bb%40x.y",
      "/v1/ips/2001%3Adb8%3A%3A1",
    ]);
  });

  it.each([
    ["a wrong key", "/v1/ips/1.2.3.4", 401, "wrong"],
    ["no address", "/v1/ips/1.2.3", 400, undefined],
    ["a malformed escape", "/v1/ips/%zz", 404, undefined],
    ["no such path", "/v1/other/1.2.3.4", 404, undefined],
    ["further segments", "/v1/ips/1.2.3.4/5", 404, undefined],
  ])("refuses %s with the error body", async (_, path, expected, key) => {
    const { status, body } = await get(await open(), path, key);
    expect(status).toBe(expected);
    expect(Object.keys(body)).toEqual(["code", "details", "errno", "error", "info", "message"]);
  });

  it.each([
    ["slow_headers", "TIMEOUT"],
    ["slow_body", "TIMEOUT"],
    ["reset", "NETWORK"],
    ["unauthorized", "UNAUTHORIZED"],
    ["rate_limited", "RATE_LIMITED"],
    ["server_error", "UPSTREAM_STATUS"],
    ["broken_json", "INVALID_RESPONSE"],
    ["redirect", "REDIRECT_REFUSED"],
  ] as const)("does %s, which a client tells as %s", async (fault, code) => {
    const { baseUrl, apiKey } = await open({ otherwise: { fault } });
    const client = createRiskClient({
      baseUrl,
      apiKey,
      timeoutMs: fault.startsWith("slow_") ? 500 : 30_000,
    });
    opened.push(client);
    await expect(client.lookupIp("8.8.8.8")).rejects.toMatchObject({ code });
  });

  it("has a test for every fault", () => {
    expect(SERVICE_FAULTS).toHaveLength(8);
  });

  it("waits as told, and closes with requests under way", async () => {
    const service = await createFakeService({ otherwise: { delayMs: 60_000 } });
    const pending = get(service, "/v1/ips/8.8.8.8").catch(() => "closed");
    while (service.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await service.close();
    expect(await pending).toBe("closed");
    expect(service.connections).toBe(0);
  });
});

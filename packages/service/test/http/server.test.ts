import { Agent, get as httpGet } from "node:http";
import { rawRequest } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { serveApi } from "../support/served-api.js";

/** One request over the agent's connections: its status and whether the connection ends with it. */
function ask(url: string, agent: Agent, key: string): Promise<{ status: number; ends: boolean }> {
  return new Promise((resolve, reject) => {
    httpGet(url, { agent, headers: { "x-api-key": key } }, (response) => {
      response.resume().once("end", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, ends: headers.connection === "close" });
      });
    }).once("error", reject);
  });
}

describe("server", () => {
  it("LIF-04 answers on open connections while it closes, without a reset", async () => {
    const { api, url, key } = await serveApi({ drainMs: 5_000 });
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const path = `${url}/v1/ips/8.8.8.8`;
    const asked = Array.from({ length: 20 }, () => 0);
    let tellAll: () => void = () => {};
    const allAsked = new Promise<void>((resolve) => (tellAll = resolve));
    const clients = asked.map(async (_, client) => {
      for (;;) {
        const { status, ends } = await ask(path, agent, key);
        expect(status).toBe(200);
        asked[client] = (asked[client] ?? 0) + 1;
        if (asked.every((times) => times > 2)) tellAll();
        if (ends) return;
      }
    });
    await allAsked;
    await Promise.all([api.close(), ...clients]);
    agent.destroy();
    await expect(ask(path, new Agent(), key)).rejects.toThrow("ECONNREFUSED");
  });

  it("closes without waiting when nobody is connected", async () => {
    // A close that waited would take longer than the test may.
    const { api } = await serveApi({ drainMs: 600_000 });
    await expect(api.close()).resolves.toBeUndefined();
  });

  it("waits for idle connections no longer than `drainMs`", async () => {
    const { api, url, key } = await serveApi({ drainMs: 100 });
    const agent = new Agent({ keepAlive: true });
    await ask(`${url}/v1/ips/8.8.8.8`, agent, key);
    const idleMs = 20_000;
    let isLate = false;
    const late = setTimeout(() => (isLate = true), idleMs);
    await api.close();
    expect(isLate).toBe(false);
    clearTimeout(late);
    agent.destroy();
  });

  it.each([
    ["that is too large", "[".repeat(3_000), "application/json", 413],
    ["that is not JSON", "[", "application/json", 400],
    ["that is missing", "", "application/json", 400],
    ["of another type", "x", "text/plain", 415],
    ["with a prototype in it", '{"__proto__":{}}', "application/json", 400],
  ])("refuses a body %s with an object", async (_what, body, type, status) => {
    const { port } = await serveApi({ maxBodyBytes: 2_000 });
    const answer = await rawRequest(port, {
      method: "POST",
      path: "/admin/v1/applications",
      headers: [
        ["Authorization", "Bearer admin-token-of-the-tests"],
        ["Content-Type", type],
      ],
      body,
    });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ code: status, errno: status });
    expect(answer.header("x-content-type-options")).toBe("nosniff");
  });
});

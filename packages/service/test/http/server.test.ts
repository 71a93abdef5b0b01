import { once } from "node:events";
import { Agent, get as httpGet } from "node:http";
import { connect } from "node:net";
import { rawRequest } from "@riskgate/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ADMIN_TOKEN, serveApi } from "../support/served-api.js";

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
  it("continues to read for a moment only after it refused a body", async () => {
    const { url } = await serveApi();
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    // Not by `once`, which would fail with the reset that ends what is still written.
    const ended = new Promise((resolve) => void socket.once("close", resolve));
    socket.on("error", () => {});
    socket.write(
      "POST /v1/reports/events HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999\r\n\r\n",
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    const timer = setInterval(() => socket.write("[".repeat(1_000)), 10);
    // Without a limit it would be the one for a whole request.
    await ended;
    clearInterval(timer);
  });

  it("LIF-04 answers on open connections while it closes, without a reset", async () => {
    const { api, url, key } = await serveApi({ drainMs: 60_000 });
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

  it("ends every connection after `drainMs`, whatever it is doing", async () => {
    let isAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const lookup = {
      // Never answers.
      lookupIp: () => new Promise<never>(() => isAsked()),
      lookupEmail: () => new Promise<never>(() => {}),
    };
    const { api, port, adminPort, key } = await serveApi({ drainMs: 100, lookup });
    const admin = "POST /admin/v1/applications HTTP/1.1\r\nHost: localhost\r\n";
    const authorized = `${admin}Authorization: Bearer ${ADMIN_TOKEN}\r\nContent-Type: application/json\r\n`;
    const sent = [
      "",
      "GET /healthz HT",
      "GET /healthz HTTP/1.1\r\nHost: a\r\n",
      `${admin}Content-Length: 100\r\n\r\n{`,
      `${authorized}Content-Length: 100\r\n\r\n{`,
      `${authorized}Transfer-Encoding: chunked\r\n\r\n5\r\n{`,
      "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n",
      "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(50),
      `GET /v1/ips/8.8.8.8 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`,
    ];
    const connections = sent.map((bytes) => {
      const isAdmin = bytes.startsWith(admin);
      const socket = connect(isAdmin ? adminPort : port, "127.0.0.1").on("error", () => {});
      if (bytes !== "") socket.write(bytes);
      // Reads none of the answers.
      return socket.pause();
    });
    await asked;
    await expect(api.close()).resolves.toBeUndefined();
    for (const socket of connections) {
      if (!socket.closed) await once(socket.resume(), "close");
    }
  });

  it("parses no body of a path that does not exist, not even with the token", async () => {
    const { adminPort: port } = await serveApi();
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const body = "[".repeat(100_000);
    for (const path of ["/nowhere", "/admin/v1/nowhere", "/admin/v1/applications/a/nowhere"]) {
      const answer = await rawRequest(port, {
        method: "POST",
        path,
        headers: [
          ["Authorization", `Bearer ${ADMIN_TOKEN}`],
          ["Content-Type", "application/json"],
        ],
        body,
      });
      expect(answer.status).toBe(404);
    }
    const parsed = parse.mock.calls.filter(([text]) => text.startsWith("[["));
    expect(parsed).toEqual([]);
  });

  it.each([
    ["with an invalid request line", ["HEAD /v1 x HTTP/1.1\r\n\r\n"]],
    ["with an invalid header", ["HEAD / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n"]],
    ["with headers that are too large", [`HEAD / HTTP/1.1\r\nX: ${"x".repeat(40_000)}\r\n\r\n`]],
    ["that comes in parts", ["HEAD / HTTP/1.1\r\nHo", "st: a\r\n\0: b\r\n\r\n"]],
  ])("refuses a HEAD %s without a body", async (_, parts) => {
    const { port } = await serveApi();
    const socket = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => void socket.once("close", resolve));
    let answer = "";
    // What is written after the refusal may end with a reset.
    socket.on("error", () => {});
    socket.setNoDelay().on("data", (chunk: Buffer) => (answer += chunk.toString()));
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\n\r\n$/);
  });

  it.each([
    ["that is too large", "[".repeat(3_000), "application/json", 413],
    ["that is not JSON", "[", "application/json", 400],
    ["that is missing", "", "application/json", 400],
    ["of another type", "x", "text/plain", 415],
    ["with a prototype in it", '{"__proto__":{}}', "application/json", 400],
  ])("refuses a body %s with an object", async (_what, body, type, status) => {
    const { adminPort: port } = await serveApi({ maxBodyBytes: 2_000 });
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

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRiskClient } from "../../src/lookup/client.js";
import { caught } from "../support/caught.js";
import { API_KEY, openClient } from "../support/open-client.js";
import {
  answering,
  closedPort,
  jsonResponse,
  response,
  silent,
  startUpstream,
} from "../support/raw-upstream.js";

const good = answering(jsonResponse({ risk_score: 7 }));
const page = response(200, "<html>", { "content-type": "text/html" });

describe("client.check", () => {
  it("asks the service each time, whatever cache and breaker hold", async () => {
    const upstream = await startUpstream(answering(response(503)));
    const client = openClient(upstream, { retries: 0, breaker: { failures: 1 } });
    await caught(client.lookupIp("192.0.2.1"));
    expect((await caught(client.lookupIp("1.2.3.4"))).message).toContain("no request sent");
    upstream.behave = good;
    await client.check();
    await client.check();
    expect(upstream.requests).toHaveLength(3);
    expect(upstream.requests[2]).toMatchObject({ path: "/v1/ips/192.0.2.1" });
  });

  it.each([
    ["UNAUTHORIZED", response(401), "set `apiKey`"],
    ["RATE_LIMITED", response(429, "", { "retry-after": "7" }), "wait for `retryAfterMs`"],
    ["UPSTREAM_STATUS", response(500), "check its log"],
    ["UPSTREAM_STATUS", response(404), "without /v1 at the end"],
    ["UPSTREAM_STATUS", response(403), "not a lookup service"],
    ["BAD_REQUEST", response(400), "not a lookup service"],
    ["INVALID_RESPONSE", page, "not a lookup service"],
    ["INVALID_RESPONSE", response(200, "{}"), "not a lookup service"],
    ["REDIRECT_REFUSED", response(301, "", { location: "/x" }), "final URL"],
  ])("says what to do about %s", async (code, bytes, advice) => {
    const upstream = await startUpstream(answering(bytes));
    const client = openClient(upstream, { retries: 0 });
    const error = await caught(client.check());
    expect(error.code).toBe(code);
    expect(error.message).toContain(`the check of http://127.0.0.1:${upstream.port} failed: `);
    expect(error.hint).toContain(advice);
    expect(`${error.message}${error.hint}`).not.toContain(API_KEY);
    expect(error.retryAfterMs).toBe(code === "RATE_LIMITED" ? 7000 : undefined);
  });

  it("says what to do if nothing listens, or nothing answers", async () => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    const client = createRiskClient({ baseUrl, apiKey: API_KEY, retries: 0 });
    const refused = await caught(client.check());
    expect(refused).toMatchObject({
      code: "NETWORK",
      hint: expect.stringContaining("host and port"),
    });
    await client.close();

    const hanging = openClient(await startUpstream(silent));
    const late = await caught(hanging.check({ timeoutMs: 20 }));
    expect(late).toMatchObject({ code: "TIMEOUT", hint: expect.stringContaining("firewall") });
    const signal = AbortSignal.abort();
    expect((await caught(hanging.check({ signal }))).code).toBe("ABORTED");
    await hanging.close();
    expect((await caught(hanging.check())).code).toBe("ABORTED");
  });

  it("says that a server speaks http and not https", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const baseUrl = `https://127.0.0.1:${port}`;
    const client = createRiskClient({ baseUrl, apiKey: API_KEY, retries: 0 });
    expect((await caught(client.check())).hint).toContain("does not speak TLS: write http://");
    await client.close();
  });
});

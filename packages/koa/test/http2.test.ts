import { createServer } from "node:http2";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { describe, expect, it, onTestFinished } from "vitest";
import { unendedRequest } from "../../../tools/test/http2-request.js";
import { webhookRoute } from "../src/webhook-route.js";

const koa2 = createRequire(import.meta.url)("koa2") as typeof Koa;
const WRONG = "0".repeat(64);

describe.each([
  ["Koa 3", Koa],
  ["Koa 2", koa2],
])("%s over HTTP/2", (_, framework) => {
  it.each<[string, number, Record<string, string>]>([
    ["an unsigned delivery", 401, {}],
    ["another method", 405, { ":method": "PUT" }],
    ["another type", 415, { "x-service-integrity": WRONG, "content-type": "text/plain" }],
    [
      "a declared length over the limit",
      413,
      { "x-service-integrity": WRONG, "content-length": "99" },
    ],
    ["a body that takes too long", 408, { "x-service-integrity": WRONG }],
  ])("WHR-40 leaves no stream open for %s", async (_title, status, headers) => {
    const options = { secrets: "s", on: { test() {} }, maxBytes: 50, bodyTimeoutMs: 50 };
    const app = new framework().use(webhookRoute(options));
    const server = createServer(app.callback() as Parameters<typeof createServer>[1]);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const typed = { "content-type": "application/json", ...headers };
    expect(await unendedRequest(port, typed, "[]")).toMatchObject({ status, rstCode: 0 });
  });
});

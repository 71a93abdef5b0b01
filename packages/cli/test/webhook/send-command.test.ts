import { PAYLOAD_TYPES, verify } from "@riskgate/core";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import { describe, expect, it } from "vitest";
import { deadUrl, serve, serveReceiver } from "../support/receiver.js";
import { jsonLines, runCommand } from "../support/run-command.js";
import { scratchDirectory } from "../support/scratch.js";

const scratch = scratchDirectory();
const SECRET = "hook-secret-1";
const env = { RISKGATE_SIGNING_SECRET: SECRET };

describe("riskgate send", () => {
  it("DSP-02 sends 2,500 events as three deliveries that a receiver handles", async () => {
    let handled = 0;
    const endpoint = createWebhookEndpoint({
      secrets: SECRET,
      on: { security_event: () => handled++ },
    });
    const url = await serve((request, response) => {
      void endpoint.answer(request).then(({ status, headers, body }) => {
        response.writeHead(status, headers).end(body);
      });
    });
    const args = ["send", "--url", url, "--type", "security_event", "--count", "2500", "--json"];
    const { status, stdout, stderr } = await runCommand(args, { env });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(jsonLines(stdout)).toMatchObject([
      { delivery: 1, payloads: 1000, delivered: true, status: 204 },
      { delivery: 2, payloads: 1000, delivered: true, status: 204 },
      { delivery: 3, payloads: 500, delivered: true, status: 204 },
    ]);
    expect(handled).toBe(2500);
  });

  it.each(PAYLOAD_TYPES)("sends a %s that no receiver ignores", async (type) => {
    const heard: unknown[] = [];
    const endpoint = createWebhookEndpoint({
      secrets: SECRET,
      on: { [type]: (payload: unknown) => heard.push(payload) },
    });
    const url = await serve((request, response) => {
      void endpoint.answer(request).then((reply) => response.writeHead(reply.status).end());
    });
    const subject = ["--ip", "2001:DB8::9", "--account", "eve@shop.example"];
    const run = await runCommand(["send", "--url", url, "--type", type, ...subject], { env });
    expect(run.status).toBe(0);
    expect(run.stdout).toMatch(/^delivery 1: 204, 1 payload, \d+ bytes, \d+ ms\n$/);
    expect(heard).toHaveLength(1);
    const text = JSON.stringify(heard);
    if (type !== "pulse") expect(text).toContain("2001:db8::9");
    if (type !== "test") expect(text).toContain("eve@shop.example");
  });

  it("signs the very bytes it sends, as JSON and without a redirect", async () => {
    const { url, received } = await serveReceiver({ status: 200 });
    await runCommand(["send", "--url", url, "--count", "3"], { env });
    const { headers, body } = received.at(0)!;
    expect(verify(body, headers["x-service-integrity"], SECRET)).toBe(true);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["webhook-signature"]).toMatch(/^v1,/);
    expect((JSON.parse(body.toString()) as unknown[]).length).toBe(3);
  });

  it("sends the payloads of a file as they are", async () => {
    const { url, received } = await serveReceiver({ status: 200 });
    const payloads = [{ service_payload_type: "later", text: "h\u00e9llo" }, 5];
    const file = scratch.file("payloads.json", JSON.stringify(payloads));
    expect(await runCommand(["send", "--url", url, "--file", file], { env })).toMatchObject({
      status: 0,
    });
    expect(JSON.parse(received.at(0)!.body.toString())).toEqual(payloads);
  });

  it("splits by bytes too", async () => {
    const { url, received } = await serveReceiver({ status: 200 });
    const args = ["send", "--url", url, "--count", "100", "--max-bytes", "10000"];
    expect(await runCommand(args, { env })).toMatchObject({ status: 0 });
    const sizes = received.map(({ body }) => (JSON.parse(body.toString()) as unknown[]).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(100);
    for (const { body } of received) expect(body.length).toBeLessThanOrEqual(10_000);
  });

  it("DSP-02 sends nothing where there is nothing, and no empty array", async () => {
    const { url, received } = await serveReceiver({ status: 200 });
    const run = await runCommand(["send", "--url", url, "--count", "0"], { env });
    expect(run).toEqual({ status: 0, stdout: "Nothing to send\n", stderr: "" });
    expect(received).toEqual([]);
  });

  it.each([300, 400, 401, 404, 413, 500, 503])(
    "has exit code 1 when the answer is %d",
    async (status) => {
      const { url } = await serveReceiver({ status });
      const run = await runCommand(["send", "--url", url, "--json"], { env });
      expect(run.status).toBe(1);
      expect(jsonLines(run.stdout)).toMatchObject([{ delivered: false, status }]);
    },
  );

  it("reports the status of each delivery, and goes on after one that failed", async () => {
    const { url } = await serveReceiver({ status: 500 }, { status: 204 });
    const args = ["send", "--url", url, "--count", "1001"];
    const { stderr } = await runCommand(args, { env });
    expect(stderr).toMatch(/^2 deliveries: 1 accepted, 1 not, in \d+\.\d s\n$/);
    const run = await runCommand([...args, "--json"], { env });
    expect(run.status).toBe(1);
    expect(jsonLines(run.stdout)).toMatchObject([{ status: 500 }, { status: 204 }]);
  });

  it("DSP-06 shows where a redirect points to, and does not follow it", async () => {
    const target = await serveReceiver({ status: 200 });
    const { url } = await serveReceiver({ status: 308, headers: { location: target.url } });
    const run = await runCommand(["send", "--url", url], { env });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(`redirects to ${target.url}, not followed`);
    expect(target.received).toEqual([]);
  });

  it("has exit code 3 when nothing answers, or not in time", async () => {
    const dead = await runCommand(["send", "--url", await deadUrl(), "--json"], { env });
    expect(dead.status).toBe(3);
    expect(jsonLines(dead.stdout)).toMatchObject([{ delivered: false, error: "NETWORK" }]);
    const silent = await serve(() => {});
    const late = await runCommand(["send", "--url", silent, "--timeout-ms", "200", "--json"], {
      env,
    });
    expect(late.status).toBe(3);
    expect(jsonLines(late.stdout)).toMatchObject([{ delivered: false, error: "TIMEOUT" }]);
  });

  it("DSP-09 reads no more than it needs of an endless answer", async () => {
    const url = await serve((request, response) => {
      request.resume();
      const timer = setInterval(() => response.write("x".repeat(60_000)), 1);
      response.once("close", () => clearInterval(timer));
    });
    expect(await runCommand(["send", "--url", url], { env })).toMatchObject({ status: 0 });
  });

  it.each([
    ["no URL", []],
    ["a URL without http", ["--url", "ftp://x.example"]],
    ["a URL with a password", ["--url", "https://a:b@x.example"]],
    ["an unknown type", ["--url", "http://127.0.0.1:9", "--type", "event"]],
    ["an unknown genre", ["--url", "http://127.0.0.1:9", "--genre", "x"]],
    ["no address", ["--url", "http://127.0.0.1:9", "--ip", "1.2.3"]],
    ["a negative count", ["--url", "http://127.0.0.1:9", "--count", "-1"]],
    ["a file that is not JSON", ["--url", "http://127.0.0.1:9", "--file", "README.md"]],
  ])("refuses %s with exit code 2", async (_, options) => {
    const cwd = new URL("../../../..", import.meta.url).pathname;
    expect(await runCommand(["send", ...options], { env, cwd })).toMatchObject({
      status: 2,
      stdout: "",
    });
  });

  it("refuses to send without a secret, with exit code 2", async () => {
    const run = await runCommand(["send", "--url", "http://127.0.0.1:9"]);
    expect(run).toMatchObject({ status: 2, stdout: "" });
    expect(run.stderr).toContain("RISKGATE_SIGNING_SECRET");
  });
});

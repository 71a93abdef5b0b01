import { createServer, type Server, type Socket } from "node:net";
import { verify } from "@riskgate/core";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { attempt, isDelivered } from "../../src/dispatch/attempt.js";
import { createDestinationRule } from "../../src/dispatch/destination-rule.js";
import { makeCertificate } from "../../../../tools/test/certificate.js";
import { orderTo } from "../support/order.js";
import { startReceiver } from "../support/receiver.js";
import { codePoint } from "../../../../tools/test/code-point.js";

const K = "hook-secret-1";
const DAY_MS = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

async function startSockets(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}

describe("attempt", () => {
  it("DSP-01 signs the very bytes it sends", async () => {
    const receiver = await startReceiver();
    const texts = fc.sample(fc.array(fc.record({ note: fc.string({ unit: codePoint }) })), 100);
    const bodies = texts.map((value) => Buffer.from(JSON.stringify(value)));
    for (const body of bodies) await attempt(orderTo(receiver.url, { body }));
    expect(receiver.requests.map(({ body }) => body)).toEqual(bodies);
    for (const { body, headers, method } of receiver.requests) {
      expect(verify(body, headers["x-service-integrity"], K)).toBe(true);
      expect(headers["content-type"]).toBe("application/json");
      expect(headers["content-length"]).toBe(String(body.length));
      expect(method).toBe("POST");
    }
  });

  it.each([200, 201, 202, 204, 206, 226, 299])("DSP-04 takes %i for success", async (status) => {
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(status).end(),
    });
    const outcome = await attempt(orderTo(receiver.url));
    expect(outcome).toMatchObject({ status, error: null });
    expect(isDelivered(outcome)).toBe(true);
  });

  it.each([
    300, 301, 302, 303, 304, 305, 306, 307, 308, 400, 401, 403, 404, 408, 410, 413, 429, 500, 502,
    503, 504, 599,
  ])("DSP-05 takes %i for a failure", async (status) => {
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(status).end(),
    });
    const outcome = await attempt(orderTo(receiver.url));
    expect(outcome.status).toBe(status);
    expect(isDelivered(outcome)).toBe(false);
  });

  it.each([301, 302, 303, 307, 308])("DSP-06 does not follow a %i", async (status) => {
    const target = await startReceiver();
    const receiver = await startReceiver({
      answer: (response) => response.writeHead(status, { location: target.url }).end(),
    });
    expect(await attempt(orderTo(receiver.url))).toMatchObject({ status, location: target.url });
    expect(target.connections()).toBe(0);
  });

  it("DSP-07 fails at the time-out when no answer comes", async () => {
    const receiver = await startReceiver({ answer: () => {} });
    const startMs = performance.now();
    const outcome = await attempt(orderTo(receiver.url, { timeoutMs: 500 }));
    const tookMs = performance.now() - startMs;
    expect(outcome).toMatchObject({ status: null, error: "TIMEOUT" });
    expect(tookMs).toBeGreaterThanOrEqual(495);
    await expect.poll(() => receiver.open()).toBe(0);
  });

  it("DSP-07 counts the question for the address into the time-out", async () => {
    const resolve = (): Promise<never> => new Promise(() => {});
    const order = orderTo("http://hooks.example/", { timeoutMs: 100, resolve });
    expect(await attempt(order)).toMatchObject({ status: null, error: "TIMEOUT" });
  });

  it("DSP-07 counts the sending of the body into the time-out", async () => {
    const url = await startSockets((socket) => socket.pause());
    const body = Buffer.alloc(32 * 1_048_576, 32);
    const outcome = await attempt(orderTo(url, { body, timeoutMs: 300 }));
    expect(outcome).toMatchObject({ status: null, error: "TIMEOUT" });
  });

  it("DSP-08 takes a success whose body never ends", async () => {
    const url = await startSockets((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    const outcome = await attempt(orderTo(url, { timeoutMs: 3_000 }));
    expect(isDelivered(outcome)).toBe(true);
  });

  it("DSP-08 takes a success whose body breaks off", async () => {
    const url = await startSockets((socket) => {
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
    });
    expect(await attempt(orderTo(url))).toMatchObject({ status: 200, excerpt: "only this" });
  });

  it("DSP-09 reads 16 KiB of a success and no more", async () => {
    let sentMiB = 0;
    const receiver = await startReceiver({
      answer: (response) => {
        response.writeHead(200);
        const chunk = Buffer.alloc(1_048_576, 120);
        const more = (): void => {
          while (sentMiB++ < 100 && response.write(chunk));
          if (sentMiB <= 100) response.once("drain", more);
          else response.end();
        };
        more();
      },
    });
    const outcome = await attempt(orderTo(receiver.url));
    expect(isDelivered(outcome)).toBe(true);
    expect(outcome.excerpt).toBe("x".repeat(16_384));
    await expect.poll(() => receiver.open()).toBe(0);
    // What is on its way in the buffers of both ends counts as sent.
    expect(sentMiB).toBeLessThan(32);
  });

  it("DSP-09 waits for nothing past 16 KiB", async () => {
    const url = await startSockets((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n${"x".repeat(16_384)}`);
    });
    // Whoever reads on waits until the test fails.
    const outcome = await attempt(orderTo(url, { timeoutMs: 3_600_000 }));
    expect(outcome.excerpt).toBe("x".repeat(16_384));
  });

  it.each([
    ["a reset", (socket: Socket) => socket.resetAndDestroy(), /^(ECONNRESET|EPIPE)$/],
    ["a connection closed without a word", (socket: Socket) => socket.end(), /^ECONNRESET$/],
    ["an answer that is not HTTP", (socket: Socket) => socket.end("hello\r\n\r\n"), /^HPE_/],
    [
      "a header without end",
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nA: ${"a".repeat(100_000)}`),
      /^HPE_HEADER_OVERFLOW$/,
    ],
    [
      "a change of the protocol",
      (socket: Socket) =>
        socket.write("HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"),
      /^ECONNRESET$/,
    ],
  ])("DSP-10 fails for %s", async (_, onSocket, error) => {
    const url = await startSockets((socket) => void socket.once("data", () => onSocket(socket)));
    const outcome = await attempt(orderTo(url));
    expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(error) as unknown });
  });

  it("DSP-10 fails for a closed port and for an unknown host", async () => {
    const receiver = await startReceiver();
    await receiver.close();
    expect(await attempt(orderTo(receiver.url))).toMatchObject({ error: "ECONNREFUSED" });
    const resolve = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    const outcome = await attempt(orderTo("http://hooks.example/", { resolve }));
    expect(outcome).toMatchObject({ error: "ENOTFOUND" });
  });

  const good = makeCertificate("127.0.0.1", inDays(-1), inDays(1));
  const expired = makeCertificate("127.0.0.1", inDays(-2), inDays(-1));
  const elsewhere = makeCertificate("127.0.0.2", inDays(-1), inDays(1));

  it.each([
    ["an expired certificate", expired, expired.cert, "CERT_HAS_EXPIRED"],
    ["a self-signed certificate", good, undefined, "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["a certificate of another host", elsewhere, elsewhere.cert, "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("DSP-10 fails for %s, even where the environment switches checks off", async (...row) => {
    const [, tls, ca, error] = row;
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    onTestFinished(() => void delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]);
    const receiver = await startReceiver({ tls });
    expect(await attempt(orderTo(receiver.url, { ca }))).toMatchObject({ status: null, error });
    expect(receiver.requests).toEqual([]);
  });

  it("sends to a receiver whose certificate is trusted", async () => {
    const receiver = await startReceiver({ tls: good });
    const outcome = await attempt(orderTo(receiver.url, { ca: good.cert }));
    expect(outcome).toMatchObject({ status: 200, error: null });
  });

  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f.1",
    "017700000001",
    "127.1",
    "127.0.0.1.",
    "localhost",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[fc00::1]",
    "[fe80::1]",
  ])("DSP-20 opens no connection to %s", async (host) => {
    const receiver = await startReceiver();
    const isPermitted = createDestinationRule([]);
    const order = orderTo(`http://${host}:${receiver.port}/`, { isPermitted });
    const outcome = await attempt(order);
    expect(outcome).toMatchObject({ status: null, error: "DESTINATION_BLOCKED" });
    expect(receiver.connections()).toBe(0);
  });

  it("DSP-20 judges the address at every connection: a name that changes cannot pass", async () => {
    const receiver = await startReceiver();
    const answers = ["127.0.0.2", "127.0.0.1"];
    const resolve = () => Promise.resolve([{ address: answers.shift()!, family: 4 }]);
    const isPermitted = (ip: string) => ip === "127.0.0.2";
    const order = orderTo(`http://hooks.example:${receiver.port}/`, { resolve, isPermitted });
    // The first address is permitted, and its port is closed.
    expect(await attempt(order)).toMatchObject({ error: "ECONNREFUSED" });
    expect(await attempt(order)).toMatchObject({ error: "DESTINATION_BLOCKED" });
    expect(receiver.connections()).toBe(0);
  });

  it("connects to the permitted ones of several addresses", async () => {
    const receiver = await startReceiver();
    const resolve = () =>
      Promise.resolve([
        { address: "::1", family: 6 },
        { address: "127.0.0.1", family: 4 },
      ]);
    const isPermitted = (ip: string) => ip === "127.0.0.1";
    const order = orderTo(`http://hooks.example:${receiver.port}/`, { resolve, isPermitted });
    expect(await attempt(order)).toMatchObject({ status: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`hooks.example:${receiver.port}`);
  });

  it("DSP-23 keeps neither secret nor signature nor payloads of a receiver that echoes", async () => {
    const receiver = await startReceiver({
      answer: (response, { body, headers }) => {
        const signature = headers["x-service-integrity"];
        const escaped = JSON.stringify(body.toString());
        response.writeHead(400, { location: `/${String(signature)}` });
        response.end(`${K} ${String(signature)} ${body.toString()} ${escaped} \u001b[31mred\0`);
      },
    });
    const body = Buffer.from('[{"account":"ada@shop.example"}]');
    const { excerpt, location } = await attempt(orderTo(receiver.url, { body }));
    expect(excerpt).toBe('[removed] [removed] [removed] "[removed]" \ufffd[31mred\ufffd');
    expect(location).toBe("/[removed]");
  });

  it.each([0xff, 0xc3])("DSP-23 keeps at most 16 KiB of an answer of bytes %i", async (byte) => {
    const receiver = await startReceiver({
      answer: (response) => void response.end(Buffer.alloc(50_000, byte)),
    });
    const { excerpt } = await attempt(orderTo(receiver.url));
    expect(Buffer.byteLength(excerpt ?? "")).toBeLessThanOrEqual(16_384);
    expect(excerpt).toMatch(/^\ufffd+$/);
  });

  it("ends when its signal is aborted", async () => {
    const receiver = await startReceiver({ answer: () => {} });
    const controller = new AbortController();
    const sent = attempt(orderTo(receiver.url, { signal: controller.signal }));
    await expect.poll(() => receiver.requests.length).toBe(1);
    controller.abort();
    expect(await sent).toMatchObject({ status: null, error: "ABORTED" });
    const late = await attempt(orderTo(receiver.url, { signal: controller.signal }));
    expect(late.error).toBe("ABORTED");
    expect(receiver.requests).toHaveLength(1);
  });
});

import { type ClientHttp2Session, connect, createServer, type ServerHttp2Stream } from "node:http2";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { WebhookOptions } from "../../src/webhook/endpoint.js";
import { createWebhookEndpoint } from "../../src/webhook/node-endpoint.js";
import { sign } from "../../src/webhook/signature.js";
import { SECRET, vector } from "../support/vectors.js";

const { body: good, signature } = vector("V3");
const JSON_TYPE = { "content-type": "application/json" };
const LIMITS = { maxBytes: 1000, maxTotalBytes: 1000, bodyTimeoutMs: 60_000 };

/** A webhook over HTTP/2, one session with it, and the streams that it has seen. */
async function mounted(
  options: Partial<WebhookOptions> = {},
  before?: (request: IncomingMessage) => void,
) {
  const handled: unknown[] = [];
  const warnings: Error[] = [];
  const listener = (warning: Error): void => void warnings.push(warning);
  process.on("warning", listener);
  onTestFinished(() => void process.off("warning", listener));
  const endpoint = createWebhookEndpoint({
    secrets: SECRET,
    on: { test: (payload) => handled.push(payload) },
    onError() {},
    ...options,
  });
  const streams: ServerHttp2Stream[] = [];
  const server = createServer((request, response) => {
    streams.push(request.stream);
    const incoming = request as unknown as IncomingMessage;
    before?.(incoming);
    void endpoint.answer(incoming).then(({ status, headers, body }) => {
      response.writeHead(status, headers);
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sessions: ClientHttp2Session[] = [];
  const another = (): ClientHttp2Session => {
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    sessions.push(session);
    return session;
  };
  onTestFinished(async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { session: another(), another, streams, handled, warnings };
}

/** Send the head and these bytes, and end the body or leave it open; the answer. */
async function send(
  session: ClientHttp2Session,
  headers: Record<string, string>,
  body: Buffer,
  leaveOpen = false,
) {
  const stream = session.request({ ":method": "POST", ":path": "/hook", ...headers });
  stream.on("error", () => {});
  const closed = new Promise<number>((resolve) =>
    stream.on("close", () => resolve(stream.rstCode)),
  );
  const status = new Promise<number>((resolve) => {
    stream.on("response", (head) => resolve(head[":status"] ?? 0));
  });
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  const ended = new Promise<string>((resolve) => stream.on("end", () => resolve(text)));
  if (leaveOpen) stream.write(body);
  else stream.end(body);
  return { status: await status, body: await ended, rstCode: await closed };
}

describe("a webhook over HTTP/2", () => {
  it("accepts a signed delivery", async () => {
    const { session, handled } = await mounted();
    const headers = { ...JSON_TYPE, "x-service-integrity": signature };
    expect(await send(session, headers, good)).toMatchObject({ status: 204, rstCode: 0 });
    expect(handled).toHaveLength(1);
  });

  it.each<[string, number, Record<string, string>, Partial<WebhookOptions>, Buffer]>([
    ["an unsigned delivery", 401, JSON_TYPE, {}, good],
    ["another method", 405, { ":method": "PUT" }, {}, good],
    ["another type", 415, { "x-service-integrity": signature }, {}, good],
    [
      "a declared length over the limit",
      413,
      { ...JSON_TYPE, "x-service-integrity": signature, "content-length": "1001" },
      {},
      good,
    ],
    [
      "more than the limit",
      413,
      { ...JSON_TYPE, "x-service-integrity": signature },
      {},
      Buffer.alloc(1001, " "),
    ],
    [
      "a body that takes too long",
      408,
      { ...JSON_TYPE, "x-service-integrity": signature },
      { bodyTimeoutMs: 50 },
      good,
    ],
  ])("WHR-40 leaves no stream open for %s", async (_, status, headers, options, body) => {
    const { session, streams, warnings } = await mounted({ ...LIMITS, ...options });
    // The sender never ends its body: only the server can close the stream.
    const answer = await send(session, headers, body, true);
    expect(answer).toMatchObject({ status, rstCode: 0 });
    expect(JSON.parse(answer.body)).toMatchObject({ status });
    await expect.poll(() => streams.every(({ destroyed }) => destroyed)).toBe(true);
    expect(warnings).toEqual([]);
    // The connection serves the next delivery.
    const signed = { ...JSON_TYPE, "x-service-integrity": signature };
    expect((await send(session, signed, good)).status).toBe(204);
  });

  it("WHR-40 leaves no stream open where all bodies take too much, or the bytes are gone", async () => {
    const signed = { ...JSON_TYPE, "x-service-integrity": signature };
    const text = await mounted(LIMITS, (request) => void request.setEncoding("utf8"));
    expect((await send(text.session, signed, good, true)).status).toBe(500);
    const below = await mounted(
      LIMITS,
      ({ stream }: IncomingMessage & { stream?: ServerHttp2Stream }) => {
        stream?.setEncoding("utf8");
      },
    );
    expect((await send(below.session, signed, good, true)).status).toBe(500);
    const full = await mounted(LIMITS);
    const held = full.another();
    const holder = held.request({ ":method": "POST", ...signed });
    const answered = new Promise((resolve) => {
      holder.on("response", ({ ":status": status }) => resolve(status));
    });
    holder.on("error", () => {}).write(Buffer.alloc(990, " "));
    const large = Buffer.from(good.toString().padEnd(1000, " "));
    const other = { ...signed, "x-service-integrity": sign(large, SECRET) };
    // The holder takes longest, and makes room; its stream ends although it sends no more.
    await expect.poll(() => full.streams[0]?.session?.state.effectiveRecvDataLength).toBe(990);
    expect((await send(full.session, other, large)).status).toBe(204);
    expect(await answered).toBe(503);
    await expect.poll(() => full.streams.every(({ destroyed }) => destroyed)).toBe(true);
    held.destroy();
  });

  it("WHR-19 takes no body for whole whose sender leaves", async () => {
    const { session, streams, handled } = await mounted();
    const stream = session.request({
      ":method": "POST",
      ...JSON_TYPE,
      "x-service-integrity": signature,
    });
    stream.on("error", () => {});
    stream.write(good);
    await expect.poll(() => streams.length).toBe(1);
    await pause(20);
    session.destroy();
    await expect.poll(() => streams[0]?.destroyed).toBe(true);
    await pause(20);
    expect(handled).toEqual([]);
  });
});

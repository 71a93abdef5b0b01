import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sign } from "../../src/webhook/signature.js";
import type { WebhookOptions } from "../../src/webhook/endpoint.js";
import { createWebhookEndpoint } from "../../src/webhook/node-endpoint.js";
import { thrown } from "../support/caught.js";
import { signed, testPayloads } from "../support/delivery.js";
import { headersOf, mounted } from "../support/mounted.js";
import { openRaw, post } from "../support/raw-client.js";
import { until } from "../support/until.js";
import { SECRET, vector } from "../support/vectors.js";
import { collectWarnings } from "../support/warnings.js";

const { body: good, signature } = vector("V3");

describe("createWebhookEndpoint", () => {
  it("names the function that was called, and the option that a misspelled one means", () => {
    const options = { secrets: SECRET, on: { test() {} }, maxByte: 5 };
    expect(thrown(() => createWebhookEndpoint(options)).message).toBe(
      "`maxByte`: unknown option; did you mean `maxBytes`?",
    );
    const none = undefined as unknown as WebhookOptions;
    expect(thrown(() => createWebhookEndpoint(none, "webhookRoute")).message).toBe(
      "the options of webhookRoute() must be an object, given nothing",
    );
  });

  it.each<[string, object]>([
    ["NaN", { maxBytes: NaN }],
    ["-1", { maxBytes: -1 }],
    ["0", { maxBytes: 0 }],
    ["abc", { maxBytes: "abc" }],
    ["Infinity", { maxBytes: Infinity }],
    ["a total below one body", { maxBytes: 1000, maxTotalBytes: 999 }],
    ["a total of 0", { maxTotalBytes: 0 }],
    ["a body time of 0", { bodyTimeoutMs: 0 }],
    ["a body time that no timer can wait for", { bodyTimeoutMs: 2 ** 31 }],
    ["an inbox time that no timer can wait for", { inboxTimeoutMs: 2 ** 31 }],
    ["a handler time that no timer can wait for", { handlerTimeoutMs: 2 ** 31 }],
    ["no handler", { on: {} }],
    ["a header with a colon", { signatureHeader: "x:y" }],
    ["a header without a name", { signatureHeader: "" }],
    ["no secrets", { secrets: [] }],
  ])("WHR-15 refuses %s at set-up", (_, options) => {
    const make = (): unknown =>
      createWebhookEndpoint({ secrets: SECRET, on: { test() {} }, ...options });
    expect(thrown(make).code).toBe("CONFIG_INVALID");
  });
});

describe("answer", () => {
  it("WHR-01 WHR-04 accepts a signed delivery, however its header is spelled", async () => {
    const { send, handled } = await mounted();
    for (const name of ["x-service-integrity", "X-SERVICE-INTEGRITY", "x-SeRvIcE-iNtEgRiTy"]) {
      const { "X-Service-Integrity": value = "", ...rest } = headersOf(good);
      expect(await send(post({ ...rest, [name]: value }, good))).toMatchObject({
        status: 204,
        body: "",
      });
    }
    expect(handled).toHaveLength(3);
  });

  it("reads the signature from another header where a service has one", async () => {
    const { send } = await mounted({ signatureHeader: "X-Vendor-Signature" });
    const { "X-Service-Integrity": value = "", ...rest } = headersOf(good);
    const answers = [await send(post({ ...rest, "X-Vendor-Signature": value }, good))];
    answers.push(await send(post(headersOf(good), good)));
    expect(answers.map(({ status }) => status)).toEqual([204, 401]);
  });

  it.each<[string, Record<string, string>, number, string]>([
    ["WHR-02 no signature", { "X-Service-Integrity": "" }, 401, "SIGNATURE_INVALID"],
    ["WHR-03 two signatures", { "x-service-integrity": signature }, 401, "SIGNATURE_INVALID"],
    ["WHR-09 another type", { "Content-Type": "text/plain" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "WHR-11 another charset",
      { "Content-Type": "application/json; charset=utf-16" },
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
    ["WHR-12 gzip", { "Content-Encoding": "gzip" }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [
      "WHR-12 two encodings",
      { "Content-Encoding": "identity, gzip" },
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
  ])(
    "%s is refused, and the connection serves the next delivery",
    async (_, headers, status, code) => {
      const { port, handled } = await mounted();
      const connection = await openRaw(port);
      connection.socket.write(post({ ...headersOf(good), ...headers }, good));
      const refusal = await connection.answer();
      expect(refusal.status).toBe(status);
      expect(JSON.parse(refusal.body)).toMatchObject({ code, status });
      expect(handled).toEqual([]);
      connection.socket.write(post(headersOf(good), good));
      expect((await connection.answer()).status).toBe(204);
    },
  );

  it("accepts the encoding that is none", async () => {
    const { send } = await mounted();
    const headers = { ...headersOf(good), "Content-Encoding": "Identity" };
    expect((await send(post(headers, good))).status).toBe(204);
  });

  it.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "WHR-08 refuses %s and names POST",
    async (method) => {
      const { send, handled } = await mounted();
      const request = post(headersOf(good), good).toString().replace("POST", method);
      const answer = await send(Buffer.from(request));
      expect(answer).toMatchObject({ status: 405, headers: { allow: "POST" } });
      expect(handled).toEqual([]);
    },
  );

  it("WHR-08 refuses HEAD without a body", async () => {
    const { port, handled } = await mounted();
    const connection = await openRaw(port);
    connection.socket.write("HEAD /hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await connection.answer("head")).toMatchObject({
      status: 405,
      headers: { allow: "POST" },
    });
    await expect(connection.answer()).rejects.toThrow("without an answer");
    expect(handled).toEqual([]);
  });

  it("WHR-28 answers every bad signature with the same bytes", async () => {
    const { send } = await mounted();
    const other = sign(good, "another-secret");
    const answers = [];
    for (const value of ["", "zz", "0".repeat(64), other, signature.toUpperCase()]) {
      const { headers, ...rest } = await send(post(headersOf(good, value), good));
      const { date: _, ...fixed } = headers;
      answers.push(JSON.stringify({ ...rest, headers: fixed }));
    }
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain("401");
  });

  it("WHR-13 refuses a length over the limit at once, unread", async () => {
    const { port, handled, requests } = await mounted({ maxBytes: 1000 });
    const connection = await openRaw(port);
    connection.socket.write(post({ ...headersOf(good), "Content-Length": "1001" }));
    expect(await connection.answer()).toMatchObject({
      status: 413,
      headers: { connection: "close" },
    });
    await connection.closed;
    expect(requests[0]?.socket.bytesRead).toBeLessThan(64 * 1024);
    expect(handled).toEqual([]);
  });

  it("WHR-14 refuses a chunked body once it passes the limit", async () => {
    const { port, handled } = await mounted({ maxBytes: 1000 });
    const connection = await openRaw(port);
    const { "Content-Length": _, ...headers } = headersOf(good);
    connection.socket.write(post({ ...headers, "Transfer-Encoding": "chunked" }));
    connection.socket.write(`3e8\r\n${"x".repeat(1000)}\r\n`);
    connection.socket.write("1\r\nx\r\n");
    expect(await connection.answer()).toMatchObject({
      status: 413,
      headers: { connection: "close" },
    });
    expect(handled).toEqual([]);
  });

  it("WHR-16 accepts a body of exactly the limit", async () => {
    const { body } = signed(testPayloads(20));
    const bytes = Buffer.from(body);
    const exact = await mounted({ maxBytes: bytes.length });
    expect((await exact.send(post(headersOf(bytes), bytes))).status).toBe(204);
    expect(exact.handled).toHaveLength(20);
    const under = await mounted({ maxBytes: bytes.length - 1 });
    expect((await under.send(post(headersOf(bytes), bytes))).status).toBe(413);
  });

  it("WHR-17 accepts 1,000 events of 4 KiB by default", async () => {
    const payloads = testPayloads(1000).map((payload) => ({ ...payload, pad: "x".repeat(4040) }));
    const bytes = Buffer.from(JSON.stringify(payloads));
    expect(bytes.length).toBeGreaterThan(4_000_000);
    const { send, handled } = await mounted();
    expect((await send(post(headersOf(bytes), bytes))).status).toBe(204);
    expect(handled).toHaveLength(1000);
  });

  it("WHR-18 gives up on a body that takes too long", async () => {
    const { port, handled } = await mounted({ bodyTimeoutMs: 50 });
    const connection = await openRaw(port);
    connection.socket.write(post(headersOf(good), good.subarray(0, 5)));
    expect(await connection.answer()).toMatchObject({
      status: 408,
      headers: { connection: "close" },
    });
    await connection.closed;
    expect(handled).toEqual([]);
  });

  it("WHR-19 forgets a sender that goes away half-way", async () => {
    const { port, handled, requests } = await mounted();
    for (let n = 0; n < 20; n++) {
      const connection = await openRaw(port);
      connection.socket.write(post(headersOf(good), good.subarray(0, 5)));
      await until(() => requests.length > n);
      connection.socket.destroy();
    }
    await until(() => requests.every(({ socket }) => socket.destroyed));
    expect(requests.map((request) => request.listenerCount("data"))).toEqual(Array(20).fill(0));
    expect(handled).toEqual([]);
  });

  it("WHR-20 uses the bytes that a parser kept, and nothing that it made of them", async () => {
    const read = async (request: IncomingMessage): Promise<Buffer> =>
      Buffer.concat((await request.toArray()) as Buffer[]);
    const kept = await mounted({}, read);
    expect((await kept.send(post(headersOf(good), good))).status).toBe(204);
    const large = await mounted({ maxBytes: 5 }, read);
    const bytes = post({ ...headersOf(good), "Transfer-Encoding": "chunked" });
    const text = bytes.toString().replace(/Content-Length: \d+\r\n/, "");
    const chunked = Buffer.from(
      `${text}${good.length.toString(16)}\r\n${good.toString()}\r\n0\r\n\r\n`,
    );
    expect((await large.send(chunked)).status).toBe(413);

    const warnings = collectWarnings();
    const told: unknown[] = [];
    const parsed = await mounted({ onError: ({ code }) => told.push(code) }, async (request) => {
      return JSON.parse((await read(request)).toString()) as unknown;
    });
    for (let n = 0; n < 2; n++) {
      expect(JSON.parse((await parsed.send(post(headersOf(good), good))).body)).toMatchObject({
        status: 500,
        code: "RAW_BODY_UNAVAILABLE",
      });
    }
    expect(parsed.handled).toEqual([]);
    expect(told).toEqual(["RAW_BODY_UNAVAILABLE", "RAW_BODY_UNAVAILABLE"]);
    expect(await warnings()).toEqual(["RISKGATE_RAW_BODY_UNAVAILABLE"]);
  });

  it.each<[string, string, number, string]>([
    ["WHR-22", "[", 400, "INVALID_JSON"],
    ["WHR-23", "{}", 400, "INVALID_PAYLOAD"],
    ["WHR-26", '[{"service_payload_type":"pulse"}]', 500, "HANDLER_FAILED"],
  ])("%s answers the signed body %s with %i", async (_, text, status, code) => {
    const { send } = await mounted({
      on: {
        pulse() {
          throw new Error("handler detail");
        },
      },
    });
    const bytes = Buffer.from(text);
    const answer = await send(post(headersOf(bytes), bytes));
    expect(JSON.parse(answer.body)).toMatchObject({ status, code });
    expect(answer.body).not.toContain("detail");
  });

  it("asks a sender to come back later while the handlers are too slow", async () => {
    const { send } = await mounted({
      handlerTimeoutMs: 20,
      on: { test: () => new Promise(() => {}) },
    });
    const answer = await send(post(headersOf(good), good));
    expect(answer).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  });
});

describe("the body of a refused request", () => {
  const unsigned = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" };
  const limits = { maxBytes: 1000, bodyTimeoutMs: 60_000 };

  it("WHR-36 runs on as far as the limit, and the connection serves the next delivery", async () => {
    const { port } = await mounted(limits);
    const connection = await openRaw(port);
    connection.socket.write(post(unsigned, `3e8\r\n${"x".repeat(1000)}\r\n`));
    expect((await connection.answer()).status).toBe(401);
    connection.socket.write("0\r\n\r\n");
    connection.socket.write(post(headersOf(good), good));
    expect((await connection.answer()).status).toBe(204);
  });

  it("WHR-36 ends the connection past the limit", async () => {
    const { port } = await mounted(limits);
    const connection = await openRaw(port);
    connection.socket.write(post(unsigned, `3e8\r\n${"x".repeat(1000)}\r\n`));
    expect((await connection.answer()).status).toBe(401);
    connection.socket.write("1\r\nx\r\n");
    // Without the limit it stays open for as long as the test waits.
    await connection.closed;
  });

  it("WHR-36 ends the connection when the time is over", async () => {
    const { port } = await mounted({ ...limits, bodyTimeoutMs: 50 });
    const connection = await openRaw(port);
    connection.socket.write(post(unsigned, "1\r\nx\r\n"));
    expect((await connection.answer()).status).toBe(401);
    await connection.closed;
  });
});

describe("the verdict", () => {
  it.each([
    ["no signature", ""],
    ["a wrong one of the right form", "0".repeat(64)],
  ])("WHR-29 comes before anything is decoded: %s", async (_, value) => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const { send } = await mounted();
    for (const text of [good.toString(), "[", "\xff"]) {
      const body = Buffer.from(text, "latin1");
      expect((await send(post(headersOf(body, value), body))).status).toBe(401);
    }
    expect(parse).not.toHaveBeenCalled();
    expect((await send(post(headersOf(good), good))).status).toBe(204);
    expect(parse).toHaveBeenCalled();
  });
});

describe("a wrong secret", () => {
  it("is reported once after ten deliveries, unless one had a valid signature", async () => {
    const warnings = collectWarnings();
    const errors: unknown[] = [];
    const wrong = headersOf(good, "0".repeat(64));
    const sendMany = async (send: (one: Buffer) => Promise<unknown>, times: number) => {
      for (let n = 0; n < times; n++) await send(post(wrong, good));
    };
    const right = await mounted({ onError: (error) => void errors.push(error) });
    await sendMany(right.send, 9);
    await right.send(post(headersOf(good), good));
    await sendMany(right.send, 20);
    expect(await warnings()).toEqual([]);
    const { send } = await mounted();
    await sendMany(send, 20);
    expect(await warnings()).toEqual(["RISKGATE_NO_VALID_SIGNATURE"]);
    expect(errors).toEqual([]);
  });
});

describe("an inbox", () => {
  it("is answered for with an empty 202 of known length", async () => {
    const { send } = await mounted({ inbox: { accept: async () => {}, attach() {} } });
    const answer = await send(post(headersOf(good), good));
    expect(answer).toMatchObject({ status: 202, body: "", headers: { "content-length": "0" } });
  });
});

describe("the channel riskgate:delivery", () => {
  it("tells each delivery in counts, without its content", async () => {
    const messages: unknown[] = [];
    const listen = (message: unknown): void => void messages.push(message);
    subscribe("riskgate:delivery", listen);
    onTestFinished(() => void unsubscribe("riskgate:delivery", listen));
    const { send } = await mounted();
    await send(post(headersOf(good), good));
    await send(post(headersOf(good, "0".repeat(64)), good));
    const bytes = Buffer.from('[7,{"service_payload_type":"test"}]');
    await send(post(headersOf(bytes), bytes));
    const none = { handled: 0, duplicates: 0, pending: 0, ignored: 0, failed: 0 };
    expect(messages).toEqual([
      { ...none, status: 204, secretId: "0", handled: 1 },
      { ...none, status: 401, code: "SIGNATURE_INVALID" },
      { ...none, status: 204, secretId: "0", handled: 1, ignored: 1 },
    ]);
  });
});

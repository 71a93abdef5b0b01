import { inspect } from "node:util";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { RiskGateError } from "../../src/base/errors.js";
import { caught } from "../support/caught.js";
import { makeCertificate } from "../../../../tools/test/certificate.js";
import { API_KEY, openClient } from "../support/open-client.js";
import {
  answering,
  type Behaviour,
  closedPort,
  inTurn,
  jsonResponse,
  response,
  silent,
  startUpstream,
} from "../support/raw-upstream.js";
import { until } from "../support/until.js";

const IP = "1.2.3.4";
const json = { "content-type": "application/json" };
const good = jsonResponse({ risk_score: 7 });
const MiB = 2 ** 20;

/** Both transports must judge alike. */
const TRANSPORTS = [
  ["pool", {}],
  ["fetch", { fetch: globalThis.fetch }],
] as const;

/** The best quality, which is the default, takes a second for a bomb. */
const brotli: typeof gzipSync = (body) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

describe.each(TRANSPORTS)("answer over %s", (_, transport) => {
  it("RSP-01 is resolved with all its members, frozen, and cached", async () => {
    const full = {
      ip: IP,
      risk_score: 85,
      ip_geo: { city: null, latitude: 1.5 },
      later: { added: [1, { deep: true }] },
    };
    const upstream = await startUpstream(answering(jsonResponse(full)));
    const client = openClient(upstream, transport);
    const found = await client.lookupIp(IP);
    expect(found).toEqual(full);
    expect(Object.isFrozen(found.ip_geo)).toBe(true);
    expect(client.peekIp(IP)).toEqual({ state: "scored", assessment: full, source: "cache" });
  });

  it.each([
    ["0", 0],
    ["-0", -0],
    ["80", 80],
    ["80.5", 80.5],
    ["1e2", 100],
  ])("RSP-05 takes the score %s", async (text, score) => {
    const body = response(200, `{"risk_score":${text}}`, json);
    const upstream = await startUpstream(answering(body));
    const client = openClient(upstream, transport);
    expect((await client.lookupEmail("a@x.y")).risk_score).toBe(score);
    expect(client.peekEmail("a@x.y")?.assessment.risk_score).toBe(score);
  });

  it.each([
    ["no content type", {}],
    ["a charset", { "content-type": "application/json; charset=utf-8" }],
    ["another JSON type", { "content-type": "application/vnd.risk+json" }],
    ["plain text", { "content-type": "text/plain;charset=UTF-8" }],
  ])("takes %s", async (_name, headers) => {
    const upstream = await startUpstream(answering(response(200, '{"risk_score":1}', headers)));
    expect((await openClient(upstream, transport).lookupIp(IP)).risk_score).toBe(1);
  });

  it.each<[string, Buffer]>([
    ["RSP-02 HTML", response(200, "<p>secret page</p>", { "content-type": "text/html" })],
    ["RSP-02 JSON called HTML", response(200, '{"risk_score":1}', { "content-type": "text/html" })],
    ["RSP-02 an empty body", response(200, "", json)],
    ["RSP-02 status 204", Buffer.from("HTTP/1.1 204 X\r\ncontent-type: application/json\r\n\r\n")],
    ["RSP-02 broken JSON", response(200, '{"risk_score":1,"secret page"}', json)],
    ["RSP-02 truncated JSON", response(200, '{"risk_score":1,"a":"secret page', json)],
    ["RSP-03 an array", response(200, "[]", json)],
    ["RSP-03 a string", response(200, '"secret page"', json)],
    ["RSP-03 null", response(200, "null", json)],
    ["RSP-03 a number", response(200, "5", json)],
    ["RSP-04 no score", response(200, "{}", json)],
    ["RSP-04 an inherited score", response(200, '{"__proto__":{"risk_score":1}}', json)],
    ...["null", '"90"', "1e400", "-1", "101", "-0.0001", "true", "[90]", "{}"].map(
      (score): [string, Buffer] => [
        `RSP-04 the score ${score}`,
        response(200, `{"risk_score":${score}}`, json),
      ],
    ),
    ["RSP-06 another address", jsonResponse({ ip: "1.2.3.5", risk_score: 0 })],
    ["RSP-06 a text that is not an address", jsonResponse({ ip: null, risk_score: 0 })],
    [
      "an encoding that is not JSON's",
      response(200, "secret page", { ...json, "content-encoding": "gzip" }),
    ],
  ])("%s is INVALID_RESPONSE", async (name, bytes) => {
    const upstream = await startUpstream(answering(bytes));
    const client = openClient(upstream, transport);
    const error = await caught(client.lookupIp(IP));
    // A broken encoding ends inside `fetch`, as a broken connection.
    const isBrokenInFetch = "fetch" in transport && name.startsWith("an encoding");
    expect(error.code).toBe(isBrokenInFetch ? "NETWORK" : "INVALID_RESPONSE");
    if (!isBrokenInFetch) expect(error.status).toBe(name.includes("204") ? 204 : 200);
    if (name.startsWith("RSP-02")) expect(error.contentType).toMatch(/json|html/);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("secret page");
    expect(client.peekIp(IP)).toBeUndefined();
  });

  it("RSP-06 takes the address in another spelling", async () => {
    const upstream = await startUpstream(
      answering(jsonResponse({ ip: "2001:DB8:0::1", risk_score: 3 })),
    );
    expect((await openClient(upstream, transport).lookupIp("2001:db8::1")).risk_score).toBe(3);
  });

  it.each([
    ["no body", response(401)],
    ["JSON", jsonResponse({ risk_score: 0 }, 401)],
    ["HTML", response(401, "<p>", { "content-type": "text/html" })],
  ])("RSP-07 401 with %s is UNAUTHORIZED", async (_name, bytes) => {
    const upstream = await startUpstream(answering(bytes));
    const client = openClient(upstream, transport);
    expect((await caught(client.lookupIp(IP))).code).toBe("UNAUTHORIZED");
    expect(upstream.requests).toHaveLength(1);
    expect(client.peekIp(IP)).toBeUndefined();
  });

  it.each([
    ["the documented body", jsonResponse({ code: 400, details: "Invalid IP" }, 400), "Invalid IP"],
    [
      "a body that repeats the key",
      jsonResponse({ details: `no ${API_KEY}` }, 400),
      "no [redacted]",
    ],
    ["details that are not text", jsonResponse({ details: { a: 1 } }, 400), undefined],
    ["another body", response(400, "<p>no</p>"), undefined],
    ["null", response(400, "null", json), undefined],
  ])("RSP-08 400 with %s is BAD_REQUEST", async (_name, bytes, details) => {
    const upstream = await startUpstream(answering(bytes));
    const error = await caught(openClient(upstream, transport).lookupIp(IP));
    expect(error.code).toBe("BAD_REQUEST");
    expect(error.details).toBe(details);
    expect(upstream.requests).toHaveLength(1);
  });

  it("RSP-09 429 is asked again if there is time", async () => {
    const upstream = await startUpstream(
      inTurn(answering(response(429, "", { "retry-after": "1" })), answering(good)),
    );
    const started = performance.now();
    expect((await openClient(upstream, transport).lookupIp(IP)).risk_score).toBe(7);
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  it.each([
    ["40", 30_000, 40_000],
    ["0x10", 30_000, undefined],
    ["1000000000000000", 30_000, 60_000],
  ])("RSP-09 429 with Retry-After %s and %d ms is RATE_LIMITED", async (header, ms, expected) => {
    const upstream = await startUpstream(answering(response(429, "", { "retry-after": header })));
    const error = await caught(openClient(upstream, { ...transport, timeoutMs: ms }).lookupIp(IP));
    expect(error.code).toBe("RATE_LIMITED");
    expect(error.retryAfterMs).toBe(expected);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    [403, 1],
    [404, 1],
    [500, 1],
    [502, 2],
    [503, 2],
    [504, 2],
  ])("RSP-11 steady %d is UPSTREAM_STATUS after %d requests", async (status, attempts) => {
    const upstream = await startUpstream(answering(response(status)));
    const error = await caught(openClient(upstream, transport).lookupIp(IP));
    expect(error.code).toBe("UPSTREAM_STATUS");
    expect(error.status).toBe(status);
    expect(upstream.requests).toHaveLength(attempts);
  });

  it("RSP-11 keeps the status of an error page that is too long", async () => {
    const upstream = await startUpstream(answering(response(500, "x".repeat(200_000))));
    const error = await caught(openClient(upstream, transport).lookupIp(IP));
    expect([error.code, error.status]).toEqual(["UPSTREAM_STATUS", 500]);
  });

  it("RSP-12 a passing 503 is not seen", async () => {
    const upstream = await startUpstream(inTurn(answering(response(503)), answering(good)));
    const client = openClient(upstream, transport);
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
    expect(upstream.requests).toHaveLength(2);
    expect(client.peekIp(IP)?.assessment.risk_score).toBe(7);
  });

  it("asks once where retries are off", async () => {
    const upstream = await startUpstream(inTurn(answering(response(503)), answering(good)));
    const error = await caught(openClient(upstream, { ...transport, retries: 0 }).lookupIp(IP));
    expect(error.code).toBe("UPSTREAM_STATUS");
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])("RSP-13 never follows %d", async (status) => {
    const target = await startUpstream(answering(good));
    const upstream = await startUpstream((socket, { path }) => {
      const location = path.includes(IP) ? target.url + path : "/elsewhere";
      socket.write(response(status, "", { location }));
    });
    const client = openClient(upstream, transport);
    expect((await caught(client.lookupIp(IP))).code).toBe("REDIRECT_REFUSED");
    expect((await caught(client.lookupIp("1.2.3.5"))).code).toBe("REDIRECT_REFUSED");
    expect(target.connections).toBe(0);
    expect(upstream.requests).toHaveLength(2);
  });

  it("RSP-14 stops an endless body", async () => {
    let written = 0;
    const upstream = await startUpstream((socket) => {
      socket.write("HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n");
      const more = (): void => {
        while (!socket.destroyed && socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`)) {
          written += 0x4000;
        }
      };
      socket.on("drain", more);
      more();
    });
    const error = await caught(openClient(upstream, transport).lookupIp(IP));
    expect(error.code).toBe("RESPONSE_TOO_LARGE");
    await until(() => upstream.sockets.size === 0);
    // What is on its way in the buffers of both ends counts as written.
    expect(written).toBeLessThan(16 * MiB);
    expect(upstream.requests).toHaveLength(1);
  });

  it("RSP-15 stops before a body that is announced as too long", async () => {
    const upstream = await startUpstream(
      answering(Buffer.from("HTTP/1.1 200 X\r\ncontent-length: 1000000000000\r\n\r\n")),
    );
    const error = await caught(openClient(upstream, transport).lookupIp(IP));
    expect(error.code).toBe("RESPONSE_TOO_LARGE");
    await until(() => upstream.sockets.size === 0);
  });

  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotli],
  ])("RSP-16 reads %s and stops a bomb of it", async (encoding, encode) => {
    const headers = { ...json, "content-encoding": encoding };
    const bomb = response(200, encode(Buffer.alloc(64 * MiB, " ")), headers);
    const upstream = await startUpstream(
      inTurn(answering(response(200, encode('{"risk_score":9}'), headers)), answering(bomb)),
    );
    const client = openClient(upstream, transport);
    expect((await client.lookupIp(IP)).risk_score).toBe(9);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    expect((await caught(client.lookupIp("1.2.3.5"))).code).toBe("RESPONSE_TOO_LARGE");
    globalThis.gc?.();
    // Half of the bomb; a reader that stops in time reads a small part of it.
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * MiB);
  });

  it.each<[string, Behaviour]>([
    [
      "RSP-17 a dripping body",
      (socket) => {
        socket.write("HTTP/1.1 200 X\r\ncontent-length: 1000\r\n\r\n");
        const drip = setInterval(() => socket.write("x"), 50);
        socket.on("close", () => clearInterval(drip));
      },
    ],
    [
      "RSP-17 dripping headers",
      (socket) => {
        socket.write("HTTP/1.1 200 X\r\n");
        const drip = setInterval(() => socket.write("x: y\r\n"), 50);
        socket.on("close", () => clearInterval(drip));
      },
    ],
    ["RSP-18 silence", silent],
    [
      "RSP-24 an answer that comes too late",
      (socket) => {
        setTimeout(() => socket.write(good), 400);
      },
    ],
  ])("%s is TIMEOUT, and not before its time", async (_name, behave) => {
    const upstream = await startUpstream(behave);
    const client = openClient(upstream, { ...transport, timeoutMs: 250 });
    const started = performance.now();
    const error = await caught(client.lookupIp(IP));
    expect(error.code).toBe("TIMEOUT");
    expect(performance.now() - started).toBeGreaterThanOrEqual(245);
    await until(() => upstream.sockets.size === 0);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(client.peekIp(IP)).toBeUndefined();
  });

  it.each<[string, Behaviour]>([
    ["before the headers", (socket) => socket.resetAndDestroy()],
    [
      "in the body",
      (socket) => {
        socket.write("HTTP/1.1 200 X\r\ncontent-length: 1000\r\n\r\n{", () =>
          socket.resetAndDestroy(),
        );
      },
    ],
    ["with something that is not HTTP", (socket) => socket.end("SSH-2.0-x\r\n\r\n")],
  ])("RSP-19 a connection that ends %s is NETWORK", async (_name, behave) => {
    const upstream = await startUpstream(behave);
    const client = openClient(upstream, transport);
    const error = await caught(client.lookupIp(IP));
    expect(error.code).toBe("NETWORK");
    expect(error.cause).toBeInstanceOf(Error);
    expect(upstream.requests).toHaveLength(2);
    expect(client.peekIp(IP)).toBeUndefined();
  });

  it("RSP-20 a refused port is NETWORK with its code", async () => {
    const client = openClient({ url: `http://127.0.0.1:${await closedPort()}` }, transport);
    const error = await caught(client.lookupIp(IP));
    expect(error.code).toBe("NETWORK");
    expect(error.cause).toMatchObject({
      code: "ECONNREFUSED",
    });
  });

  it("RSP-20 an unknown host is NETWORK with its code", async () => {
    const client = openClient({ url: "https://nowhere.invalid" }, transport);
    const error = await caught(client.lookupIp(IP));
    expect(error.code).toBe("NETWORK");
    expect(error.cause).toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string,
    });
  });

  it("RSP-20 a self-signed certificate is NETWORK, asked once", async () => {
    const certificate = makeCertificate("127.0.0.1", YESTERDAY, TOMORROW);
    const upstream = await startUpstream(answering(good), certificate);
    const error = await caught(openClient(upstream, transport).lookupIp(IP));
    expect(error.code).toBe("NETWORK");
    expect(error.cause).toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(upstream.handshakes).toBe(1);
    expect(upstream.requests).toHaveLength(0);
  });

  it("RSP-21 an abort is answered at once and closes the connection", async () => {
    const upstream = await startUpstream(silent);
    const controller = new AbortController();
    const lookup = openClient(upstream, transport).lookupIp(IP, { signal: controller.signal });
    await until(() => upstream.requests.length === 1);
    controller.abort();
    expect((await caught(lookup)).code).toBe("ABORTED");
    await until(() => upstream.sockets.size === 0);
  });

  it("RSP-22 a steady 503 keeps to the deadline", async () => {
    const upstream = await startUpstream((socket) => {
      setTimeout(() => socket.write(response(503)), 300);
    });
    await caught(openClient(upstream, { ...transport, timeoutMs: 500 }).lookupIp(IP));
    expect(upstream.requests.length).toBeLessThanOrEqual(2);
  });

  it("RSP-22 keeps the refusal if no time is left for a second request", async () => {
    const upstream = await startUpstream(answering(response(503, "", { "retry-after": "40" })));
    const client = openClient(upstream, { ...transport, timeoutMs: 30_000 });
    expect((await caught(client.lookupIp(IP))).code).toBe("UPSTREAM_STATUS");
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([
    ["UNAUTHORIZED", response(401)],
    ["UPSTREAM_STATUS", response(503)],
    ["INVALID_RESPONSE", response(200, "[]", json)],
    ["REDIRECT_REFUSED", response(302, "", { location: "/" })],
  ])("RSP-23 1,000 times %s leaves nothing behind", async (code, bytes) => {
    let answered = 0;
    const upstream = await startUpstream((socket) => {
      socket.write(bytes);
      answered++;
      // What the scripted upstream remembers is not what is measured.
      upstream.requests.length = 0;
    });
    const client = openClient(upstream, {
      ...transport,
      retries: 0,
      breaker: false,
      cache: { failureTtlMs: 0 },
    });
    const run = async (count: number): Promise<number> => {
      for (let i = 0; i < count; i++) expect((await caught(client.lookupIp(IP))).code).toBe(code);
      await new Promise((resolve) => setImmediate(resolve));
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    await run(500);
    const before = await run(100);
    expect((await run(400)) - before).toBeLessThan(4 * MiB);
    expect(answered).toBe(1000);
    expect(upstream.sockets.size).toBeLessThanOrEqual(2);
  });
});

const DAY_MS = 86_400_000;
const YESTERDAY = new Date(Date.now() - DAY_MS);
const TOMORROW = new Date(Date.now() + DAY_MS);

describe("certificates over the pool", () => {
  it("takes one of an authority that the option names", async () => {
    const certificate = makeCertificate("127.0.0.1", YESTERDAY, TOMORROW);
    const upstream = await startUpstream(answering(good), certificate);
    const client = openClient(upstream, { ca: certificate.cert });
    expect((await client.lookupIp(IP)).risk_score).toBe(7);
  });

  it.each([
    [
      "an expired",
      makeCertificate("127.0.0.1", new Date(Date.now() - 2 * DAY_MS), YESTERDAY),
      "CERT_HAS_EXPIRED",
    ],
    [
      "a wrong-host",
      makeCertificate("127.0.0.2", YESTERDAY, TOMORROW),
      "ERR_TLS_CERT_ALTNAME_INVALID",
    ],
  ])("RSP-20 refuses %s certificate", async (_name, certificate, code) => {
    const upstream = await startUpstream(answering(good), certificate);
    const error = await caught(openClient(upstream, { ca: certificate.cert }).lookupIp(IP));
    expect(error.code).toBe("NETWORK");
    expect(error.cause).toMatchObject({ code });
    expect(upstream.requests).toHaveLength(0);
    expect(upstream.handshakes).toBe(1);
  });
});

describe("errors of the client", () => {
  it("CLI-17 never show the key", async () => {
    const upstream = await startUpstream(silent);
    const errors: RiskGateError[] = [];
    const echo = { "content-type": `text/${API_KEY}`, location: `/${API_KEY}` };
    for (const status of [200, 302, 400, 401, 429, 500]) {
      upstream.behave = answering(response(status, `{"details":"${API_KEY}"}`, echo));
      errors.push(await caught(openClient(upstream, { retries: 0 }).lookupIp(IP)));
    }
    upstream.behave = answering(response(200, "x".repeat(70_000)));
    errors.push(await caught(openClient(upstream).lookupIp(IP)));
    upstream.behave = (socket) => socket.end(`HTTP/1.1 ${API_KEY}\r\n\r\n`);
    errors.push(await caught(openClient(upstream).lookupIp(IP)));
    upstream.behave = silent;
    errors.push(await caught(openClient(upstream, { timeoutMs: 20 }).lookupIp(IP)));
    const leaky = (): never => {
      throw Object.assign(new TypeError(`no ${API_KEY}`), { code: API_KEY, headers: [API_KEY] });
    };
    errors.push(await caught(openClient(upstream, { fetch: leaky }).lookupIp(IP)));

    expect(new Set(errors.map(({ code }) => code))).toEqual(
      new Set([
        "INVALID_RESPONSE",
        "REDIRECT_REFUSED",
        "BAD_REQUEST",
        "UNAUTHORIZED",
        "RATE_LIMITED",
        "UPSTREAM_STATUS",
        "RESPONSE_TOO_LARGE",
        "NETWORK",
        "TIMEOUT",
      ]),
    );
    for (const error of errors) {
      const shown = [
        String(error),
        error.stack,
        JSON.stringify(error),
        inspect(error, { depth: 9, showHidden: true }),
      ];
      expect(shown.join()).not.toContain(API_KEY);
    }
  });
});

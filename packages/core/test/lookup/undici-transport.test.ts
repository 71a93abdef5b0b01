import { execFile } from "node:child_process";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createUndiciTransport } from "../../src/lookup/undici-transport.js";
import { makeCertificate } from "../../../../tools/test/certificate.js";
import { caught } from "../support/caught.js";
import { API_KEY, openClient } from "../support/open-client.js";
import {
  answering,
  type Behaviour,
  inTurn,
  jsonResponse,
  type RawUpstream,
  startUpstream,
} from "../support/raw-upstream.js";
import { until } from "../support/until.js";

/** The built package: a child process of Node 20 cannot load the sources. */
const CORE = new URL("../../dist/index.js", import.meta.url).href;

const DAY_MS = 86_400_000;
const certificate = makeCertificate(
  "127.0.0.1",
  new Date(Date.now() - DAY_MS),
  new Date(Date.now() + DAY_MS),
);
const bytes = jsonResponse({ risk_score: 7 });
const good = answering(bytes);

describe("a service that closes each connection after its answer without a word", () => {
  it.each<[string, Behaviour]>([
    ["with an end", (socket) => socket.end(bytes)],
    ["with a reset", (socket) => socket.write(bytes, () => socket.resetAndDestroy())],
  ])("%s fails no lookup", async (_, behave) => {
    const upstream = await startUpstream(behave);
    for (const retries of [0, 1] as const) {
      const client = openClient(upstream, { retries });
      const ips = Array.from({ length: 300 }, (__, n) => `1.2.${n % 3}.${n % 100}`);
      const lookups = await Promise.allSettled(ips.map((ip) => client.lookupIp(ip)));
      expect(lookups.filter(({ status }) => status === "rejected")).toEqual([]);
    }
  });

  it("is asked again at once, on a new connection, and within the limit", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream, { retries: 0, maxConnections: 2 });
    await Promise.all([client.lookupIp("1.2.3.1"), client.lookupIp("1.2.3.2")]);
    expect(upstream.connections).toBe(2);
    // Each idle connection dies as soon as it is used.
    const old = new Set(upstream.sockets);
    upstream.behave = (socket) => (old.has(socket) ? socket.destroy() : socket.write(bytes));
    expect((await client.lookupIp("1.2.3.3")).risk_score).toBe(7);
    expect(upstream.connections).toBe(3);
    await until(() => upstream.sockets.size <= 2);
  });

  it("is asked twice at most", async () => {
    const upstream = await startUpstream(inTurn(good, (socket) => socket.resetAndDestroy()));
    const client = openClient(upstream);
    await client.lookupIp("1.2.3.1");
    expect((await caught(client.lookupIp("1.2.3.2"))).code).toBe("NETWORK");
    expect(upstream.requests).toHaveLength(3);
  });
});

describe("a refusal whose body runs on", () => {
  const TRANSPORTS = [
    ["pool", {}],
    ["fetch", { fetch: globalThis.fetch }],
  ] as const;
  const STATUSES = [302, 400, 401, 404, 429, 500, 503];

  it.each(TRANSPORTS)(
    "over %s is read to a limit of bytes, and its code is kept",
    async (_, given) => {
      let written = 0;
      const upstream = await startUpstream((socket, { index }) => {
        const status = STATUSES[index] ?? 500;
        socket.write(`HTTP/1.1 ${status} X\r\ntransfer-encoding: chunked\r\n\r\n`);
        const more = (): void => {
          while (!socket.destroyed && socket.write(`4000\r\n${"x".repeat(0x4000)}\r\n`)) {
            written += 0x4000;
          }
        };
        socket.on("drain", more);
        more();
      });
      const client = openClient(upstream, { ...given, retries: 0, breaker: false });
      const codes: string[] = [];
      for (const [n] of STATUSES.entries()) {
        codes.push((await caught(client.lookupIp(`1.2.3.${n}`))).code);
      }
      expect(codes).toEqual([
        "REDIRECT_REFUSED",
        "BAD_REQUEST",
        "UNAUTHORIZED",
        "UPSTREAM_STATUS",
        "RATE_LIMITED",
        "UPSTREAM_STATUS",
        "UPSTREAM_STATUS",
      ]);
      await until(() => upstream.sockets.size === 0);
      // What is on its way in the buffers of both ends counts as written.
      expect(written).toBeLessThan(STATUSES.length * 16 * 2 ** 20);
    },
  );

  it.each(TRANSPORTS)("over %s ends with the time of the lookup", async (_, given) => {
    const upstream = await startUpstream((socket) => {
      socket.write("HTTP/1.1 500 X\r\ncontent-length: 1000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    const client = openClient(upstream, { ...given, timeoutMs: 400 });
    // On a real clock, the time may be over before the request is sent.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const lookup = caught(client.lookupIp("1.2.3.4"));
    await until(() => upstream.requests.length === 1);
    vi.advanceTimersByTime(400);
    await lookup;
    vi.useRealTimers();
    await until(() => upstream.sockets.size === 0);
    expect(upstream.requests).toHaveLength(1);
  });

  it("shows its head before its end", async () => {
    const upstream = await startUpstream((socket) => {
      socket.write("HTTP/1.1 103 X\r\n\r\nHTTP/1.1 429 X\r\nretry-after: 9\r\n\r\n");
    });
    const transport = createUndiciTransport({
      origin: upstream.url,
      headers: {},
      maxConnections: 1,
      connectTimeoutMs: 30_000,
      ca: undefined,
      redact: (text) => text,
    });
    const exchange = transport.send({ path: "/" }, false);
    expect(exchange.head).toBeUndefined();
    await until(() => exchange.head !== undefined);
    expect([exchange.head?.status, exchange.head?.header("retry-after")]).toEqual([429, "9"]);
    exchange.cancel();
    expect((await exchange.answer).status).toBe(429);
    await transport.close();
  });
});

describe("TLS of the pool", () => {
  it("resumes no session, which would skip the check of the certificate", async () => {
    const resumed: boolean[] = [];
    const offering = await startUpstream((socket) => {
      resumed.push((socket as TLSSocket).isSessionReused());
      socket.end(bytes);
    }, certificate);
    // The upstream does offer sessions, and takes them up.
    await resumesItself(offering);
    const client = openClient(offering, { ca: certificate.cert, maxConnections: 1 });
    for (const ip of ["1.2.3.1", "1.2.3.2", "1.2.3.3"]) await client.lookupIp(ip);
    expect(offering.connections).toBe(5);
    expect(resumed).toEqual([false, false, false]);
  });

  it("checks the certificate whatever NODE_TLS_REJECT_UNAUTHORIZED says", async () => {
    const upstream = await startUpstream(good, certificate);
    const script = `
      import { createRiskClient } from ${JSON.stringify(CORE)};
      const baseUrl = ${JSON.stringify(upstream.url)};
      const client = createRiskClient({ baseUrl, apiKey: "k", timeoutMs: 30_000 });
      const { code, cause } = await client.lookupIp("1.2.3.4").catch((error) => error);
      console.log(code, cause?.code);
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--no-warnings", "--input-type=module", "-e", script],
      { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0" } },
    );
    expect(stdout).toBe("NETWORK DEPTH_ZERO_SELF_SIGNED_CERT\n");
    expect(upstream.requests).toHaveLength(0);
  });
});

describe("loading", () => {
  it.each([
    ["begins with the client", "", true],
    ["is skipped if it is not needed", "fetch,", false],
  ])("%s", async (_, option, expected) => {
    const script = `
      import { createRequire } from "node:module";
      import { createRiskClient } from ${JSON.stringify(CORE)};
      const isLoaded = () =>
        Object.keys(createRequire(import.meta.url).cache).some((path) => /[\\\\/]undici[\\\\/]/.test(path));
      const before = isLoaded();
      createRiskClient({ ${option} baseUrl: "https://risk.example", apiKey: ${JSON.stringify(API_KEY)} });
      for (let n = 0; n < ${expected ? 2000 : 20} && !isLoaded(); n++) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      console.log(before, isLoaded());
    `;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script]);
    expect(stdout).toBe(`false ${expected}\n`);
  });
});

/** Connect twice as a client that does resume, to see that the upstream would. */
async function resumesItself(upstream: RawUpstream): Promise<void> {
  const options = { host: "127.0.0.1", port: upstream.port, ca: certificate.cert };
  const connect = async (session?: Buffer): Promise<[TLSSocket, Promise<Buffer>]> => {
    const socket = connectTls({ ...options, ...(session && { session }) });
    onTestFinished(() => void socket.destroy());
    const offered = new Promise<Buffer>((resolve) => socket.once("session", resolve));
    const connected = new Promise((resolve) => socket.once("secureConnect", resolve));
    socket.resume();
    await connected;
    return [socket, offered];
  };
  const [, session] = await connect();
  const [second] = await connect(await session);
  expect(second.isSessionReused()).toBe(true);
}

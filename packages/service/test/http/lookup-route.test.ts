import { once } from "node:events";
import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { createRiskClient, RiskGateError } from "@riskgate/core";
import { createFakeLookup, rawRequest, type RawAnswer } from "@riskgate/testing";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createLookupRoute } from "../../src/http/lookup-route.js";
import type { KeyHolder } from "../../src/storage/application-store.js";
import { sendBytes } from "../support/raw-bytes.js";
import { serveApi } from "../support/served-api.js";

/** The members of a refusal, in their order. */
const SIX = ["code", "details", "errno", "error", "info", "message"];

const INVALID_IPS = [
  "1.2.3",
  "01.2.3.4",
  "0x7f.1",
  "1.2.3.4:80",
  "[::1]",
  "::1/64",
  " 1.2.3.4",
  "1.2.3.4\n",
  "\uff11.\uff12.\uff13.\uff14",
  "1.2.3.4%0",
  "1::2::3",
  "12345::",
];

/** Check what is true of every answer, and give its object. */
function objectOf(answer: RawAnswer): Record<string, unknown> {
  expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.header("x-content-type-options")).toBe("nosniff");
  const object: unknown = JSON.parse(answer.body);
  expect(object).toBeTypeOf("object");
  return object as Record<string, unknown>;
}

function expectRefusal(answer: RawAnswer, status: number): void {
  expect(answer.status).toBe(status);
  const object = objectOf(answer);
  expect(Object.keys(object)).toEqual(SIX);
  expect(object).toMatchObject({ code: status, errno: status, info: "" });
}

afterEach(() => vi.restoreAllMocks());

describe("lookup handler", () => {
  it("answer about an email with every member, in order and no other", async () => {
    const { get } = await serveApi();
    const answer = await get("/v1/emails/a%40mailinator.test");
    expect(answer.status).toBe(200);
    objectOf(answer);
    expect(answer.body).toBe(
      '{"email":"a@mailinator.test","risk_score":50,"is_known_attacker":false,' +
        '"high_risk_security_events_count":0,"security_events_count":0,"is_disposable":true,' +
        '"is_email_malformed":false,"is_email_harmful":false}',
    );
  });

  it("answer about an address with every member, in order and no other", async () => {
    const { get } = await serveApi();
    const answer = await get("/v1/ips/20.1.2.3");
    expect(answer.status).toBe(200);
    objectOf(answer);
    expect(answer.body).toBe(
      '{"ip":"20.1.2.3","ip_version":4,"risk_score":5,"is_known_attacker":false,' +
        '"security_events_count":0,"high_risk_security_events_count":0,"ip_geo":{},' +
        '"is_datacenter":true,"is_vpn":false,"is_proxy":false,"is_private":false,"is_tor":false}',
    );
  });

  it("leave out what a lookup says beyond the specification", async () => {
    const lookup = createFakeLookup({
      "8.8.8.8": { risk_score: 7, extra: 1, ip_geo: { city: null, country_code: "USA", asn: 1 } },
    });
    const { get } = await serveApi({ lookup });
    const object = objectOf(await get("/v1/ips/8.8.8.8"));
    expect(object).not.toHaveProperty("extra");
    expect(object["ip_geo"]).toEqual({ country_code: "USA", city: null });
  });

  it.each(["a@mailinator.test", "a+b@x.test", "2a00::1"])("take %s raw", async (identifier) => {
    const { get } = await serveApi();
    const type = identifier.includes("@") ? "emails" : "ips";
    const object = objectOf(await get(`/v1/${type}/${identifier}`));
    expect(object[type === "emails" ? "email" : "ip"]).toBe(identifier);
  });

  it("SVC-01 refuse every request without a valid key in one and the same way", async () => {
    const lookup = createFakeLookup();
    const { get, key } = await serveApi({ lookup });
    const answers = await Promise.all([
      get("/v1/ips/8.8.8.8", []),
      get("/v1/ips/8.8.8.8", [["X-API-Key", ""]]),
      get("/v1/ips/8.8.8.8", [["X-API-Key", `${key}x`]]),
      get(`/v1/ips/8.8.8.8?X-API-Key=${key}`, []),
      get("/v1/ips/8.8.8.8", [["Authorization", `Bearer ${key}`]]),
      get("/v1/ips/8.8.8.8", [
        ["X-API-Key", key],
        ["X-API-Key", key],
      ]),
      get("/v1/ips/8.8.8.8", [["X-API-Key", "k".repeat(9_000)]]),
    ]);
    for (const answer of answers) {
      expectRefusal(answer, 401);
      expect(answer.body).toBe(answers[0].body);
    }
    expect(lookup.calls).toEqual([]);
    expect((await get("/v1/ips/8.8.8.8", [["x-api-KEY", key]])).status).toBe(200);
  });

  it("SVC-01 refuse a key from the moment it is revoked", async () => {
    const { get, admin, storage, application } = await serveApi();
    expect((await get("/v1/ips/8.8.8.8")).status).toBe(200);
    const [record] = await storage.applications.keysOf(application.id);
    const path = `/applications/${application.id}/keys/${record?.id}`;
    expect((await admin("DELETE", path)).status).toBe(200);
    expectRefusal(await get("/v1/ips/8.8.8.8"), 401);
  });

  it("SVC-02 authenticate before they look at the address", async () => {
    const { get } = await serveApi();
    expectRefusal(await get("/v1/ips/junk", []), 401);
    expectRefusal(await get("/v1/emails/%zz", []), 401);
  });

  it.each(INVALID_IPS)("SVC-03 refuse %j as an IP, word for word", async (ip) => {
    const { get } = await serveApi();
    const answer = await get(`/v1/ips/${encodeURIComponent(ip)}`);
    expectRefusal(answer, 400);
    expect(answer.body).toBe(
      '{"code":400,"details":"Invalid IP","errno":400,"error":"Invalid request","info":"",' +
        '"message":"Validation error occured while trying to parse an ip"}',
    );
  });

  it.each(["/v1/emails/", "/v1/ips/", "/v1/ips", "/v1/other", "/v2/ips/1.2.3.4", "/", "/v1/ips//"])(
    "SVC-04 know no %s",
    async (path) => {
      const { get } = await serveApi();
      expectRefusal(await get(path), 404);
    },
  );

  it.each(["/v1/ips/1.2.3.4/extra", "/v1/emails/a/b@x.test", "/v1/ips/1.2.3.4/"])(
    "SVC-04 give no answer for the part before a slash: %s",
    async (path) => {
      const lookup = createFakeLookup();
      const { get } = await serveApi({ lookup });
      expectRefusal(await get(path), 404);
      expect(lookup.calls).toEqual([]);
    },
  );

  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("SVC-05 refuse %s", async (method) => {
    const { port, key } = await serveApi();
    for (const path of ["/v1/ips/1.2.3.4", "/v1/emails/a@x.test"]) {
      const answer = await rawRequest(port, {
        method,
        path,
        headers: [
          ["X-API-Key", key],
          ["Content-Type", "text/plain"],
        ],
        body: "ignored",
      });
      expectRefusal(answer, 405);
      expect(answer.header("allow")).toBe("GET, HEAD");
    }
  });

  it.each(["%", "%zz", "%c3%28", "%ff@x", "50%off@x.y", "fe80::1%eth0"])(
    "SVC-06 refuse the malformed escape %s",
    async (segment) => {
      const { get } = await serveApi();
      expectRefusal(await get(`/v1/emails/${segment}`), 400);
      expectRefusal(await get(`/v1/ips/${segment}`), 400);
    },
  );

  it("SVC-06 refuse malformed escapes on any other path", async () => {
    const { get, getAdmin } = await serveApi();
    expectRefusal(await get("/v2/%zz"), 400);
    expectRefusal(await getAdmin("/admin/v1/applications/%zz"), 400);
  });

  it.each([
    ["a%2540x.y", "a%40x.y"],
    ["a%2Fb%40x.y", "a/b@x.y"],
    ["..%2f..%2fadmin", "../../admin"],
    ["a%3Fb%23c@x.y", "a?b#c@x.y"],
  ])("SVC-07 decode %s once, to %s", async (segment, email) => {
    const lookup = createFakeLookup();
    const { get } = await serveApi({ lookup });
    expect(objectOf(await get(`/v1/emails/${segment}?query=1`))["email"]).toBe(email);
    expect(lookup.calls).toMatchObject([{ type: "email", value: email }]);
  });

  it("SVC-08 refuse an email over 320 bytes, and take one of 320", async () => {
    const { get } = await serveApi();
    const longest = `${"\u00e9".repeat(157)}@x.test`.slice(0, 163);
    expect(Buffer.byteLength(longest)).toBe(320);
    expect((await get(`/v1/emails/${encodeURIComponent(longest)}`)).status).toBe(200);
    const answer = await get(`/v1/emails/${encodeURIComponent(`a${longest}`)}`);
    expectRefusal(answer, 400);
    expect(answer.body).toContain('"details":"Invalid email"');
  });

  it("SVC-09 limit a sandbox application, and answer it again after the wait", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { get, storage } = await serveApi({
      application: { kind: "sandbox" },
      rateLimit: { burst: 3, perSecond: 0.5 },
    });
    for (let n = 0; n < 3; n++) expect((await get("/v1/ips/8.8.8.8")).status).toBe(200);
    const refused = await get("/v1/ips/8.8.8.8");
    expectRefusal(refused, 429);
    expect(refused.header("retry-after")).toBe("6");
    vi.advanceTimersByTime(4_500);
    expect((await get("/v1/ips/8.8.8.8")).header("retry-after")).toBe("2");

    const other = await storage.applications.create({ name: "other" });
    const { key } = await storage.applications.addKey(other.id);
    for (let n = 0; n < 5; n++) {
      expect((await get("/v1/ips/8.8.8.8", [["X-API-Key", key]])).status).toBe(200);
    }
    vi.advanceTimersByTime(1_500);
    for (let n = 0; n < 3; n++) expect((await get("/v1/ips/8.8.8.8")).status).toBe(200);
    expectRefusal(await get("/v1/ips/8.8.8.8"), 429);
  });

  it("SVC-10 write nothing anywhere, and count without names", async () => {
    const written: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((chunk) => {
        written.push(String(chunk));
        return true;
      });
    }
    const { get, getAdmin, key } = await serveApi();
    await get("/v1/emails/somebody@x.test");
    await get("/v1/emails/%zz");
    await get("/v1/ips/1.2.3.4", [["X-API-Key", "wrong-key"]]);
    vi.restoreAllMocks();
    const metrics = (await getAdmin("/metrics")).body;
    expect(written).toEqual([]);
    for (const text of [key, "somebody", "wrong-key"]) expect(metrics).not.toContain(text);
  });

  it.each([
    ["a raw Latin-1 byte in the path", "GET /v1/emails/h\u00e9@x.test HTTP/1.1\r\n\r\n", 400],
    ["a header of 20 KiB", `GET / HTTP/1.1\r\nX: ${"x".repeat(20_480)}\r\n\r\n`, 431],
    ["a broken request line", "HELLO\r\n\r\n", 400],
    ["a length that is not a number", "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400],
    ["an expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\n\r\n", 417],
    ["HTTP/1.1 without a host", "GET /nowhere HTTP/1.1\r\n\r\n", 404],
  ])("SVC-11 answer %s with an object", async (_what, bytes, status) => {
    const { port, get } = await serveApi();
    const answer = await sendBytes(port, Buffer.from(bytes, "latin1"));
    expectRefusal(answer, status);
    if (status === 400 || status === 431) expect(answer.isClosed).toBe(true);
    expect((await get("/v1/ips/8.8.8.8")).status).toBe(200);
  });

  it("SVC-12 answer HEAD as GET without the body", async () => {
    const { port, key, get } = await serveApi();
    for (const path of ["/v1/ips/8.8.8.8", "/v1/ips/junk", "/v1/emails/a@x.test"]) {
      const full = await get(path);
      const head = await rawRequest(port, { method: "HEAD", path, headers: [["X-API-Key", key]] });
      expect(head.status).toBe(full.status);
      const without = (lines: RawAnswer["lines"]) => lines.filter(([name]) => name !== "date");
      expect(without(head.lines)).toEqual(without(full.lines));
    }
  });

  it("SVC-13 answer 500 connections at once, 20 requests each", async () => {
    const { url, key } = await serveApi();
    const agent = new Agent({ keepAlive: true, maxSockets: 500 });
    onTestFinished(() => agent.destroy());
    const ask = (): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        get(`${url}/v1/ips/8.8.8.8`, { agent, headers: { "x-api-key": key } }, (response) => {
          response.resume().once("end", () => resolve(response.statusCode));
        }).once("error", reject);
      });
    const round = async (requests: number): Promise<Set<number | undefined>> =>
      new Set(await Promise.all(Array.from({ length: requests }, ask)));
    const collected = (): number => {
      globalThis.gc?.();
      // What is referred to: pages count what the allocator gives back late.
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    // The first round creates pools, compiled code and connections, which later rounds reuse.
    expect(await round(2_500)).toEqual(new Set([200]));
    const before = collected();
    expect(await round(10_000)).toEqual(new Set([200]));
    expect(collected() - before).toBeLessThan(32 * 1024 * 1024);
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "SVC-14 let nothing inherited into the answer about %s",
    async (name) => {
      const { get } = await serveApi();
      const answer = await get(`/v1/emails/${name}`);
      expect(answer.status).toBe(200);
      const object = objectOf(answer);
      expect(object["email"]).toBe(name);
      expect(Object.keys(object)).toHaveLength(8);
      expectRefusal(await get(`/v1/ips/${name}`), 400);
    },
  );

  it("say 503 when the lookup fails, and keep its reasons to themselves", async () => {
    const lookup = createFakeLookup({ "8.8.8.8": { fault: "network" } });
    const { get } = await serveApi({ lookup });
    expectRefusal(await get("/v1/ips/8.8.8.8"), 503);
  });

  it("refuse if the storage or the lookup fails, and answer later requests", async () => {
    const broken = await serveApi();
    vi.spyOn(broken.storage.applications, "findByKeyHashes").mockRejectedValueOnce(
      new RiskGateError("STORE_FAILED", "the database is locked"),
    );
    expectRefusal(await broken.get("/v1/ips/8.8.8.8"), 503);
    expect((await broken.get("/v1/ips/8.8.8.8")).status).toBe(200);

    const lookup = createFakeLookup();
    const throwing = await serveApi({ lookup });
    vi.spyOn(lookup, "lookupIp").mockImplementationOnce(() => {
      throw new TypeError("a mistake");
    });
    expectRefusal(await throwing.get("/v1/ips/8.8.8.8"), 500);
    expect((await throwing.get("/v1/ips/8.8.8.8")).status).toBe(200);
  });

  it("answer the client of this project", async () => {
    const { url, key } = await serveApi();
    const client = createRiskClient({ baseUrl: url, apiKey: key, timeoutMs: 30_000 });
    expect(await client.lookupIp("185.220.101.1")).toMatchObject({ is_tor: true, ip_version: 4 });
    expect(await client.lookupEmail("a/b@mailinator.test")).toMatchObject({ risk_score: 50 });
    await client.close();
  });

  it("forbid to store their answers", async () => {
    const { get } = await serveApi({ application: { kind: "sandbox" } });
    for (const [path, status] of [
      ["/v1/ips/8.8.8.8", 200],
      ["/v1/ips/junk", 400],
      ["/v1/emails/rate_limited@example.com", 429],
    ] as const) {
      const answer = await get(path);
      expect(answer.status).toBe(status);
      expect(answer.header("cache-control")).toBe("no-store");
    }
    expect((await get("/v1/ips/8.8.8.8", [])).header("cache-control")).toBe("no-store");
  });

  it("answer magic inputs to a sandbox application alone", async () => {
    const sandbox = await serveApi({ application: { kind: "sandbox" } });
    const path = "/v1/emails/score-95@example.com";
    expect(objectOf(await sandbox.get(path))["risk_score"]).toBe(95);
    expectRefusal(await sandbox.get("/v1/emails/rate_limited@example.com"), 429);
    const ordinary = await serveApi();
    expect(objectOf(await ordinary.get(path))["risk_score"]).toBe(0);
  });
});

describe("a lookup route whose database does not respond", () => {
  it.each(["authenticator", "ledger"])(
    "refuses a lookup that waits for the %s",
    async (waiting) => {
      const never = new Promise<never>(() => {});
      const application = { id: "shop", kind: "ordinary" } as KeyHolder;
      const results: string[] = [];
      const route = createLookupRoute({
        lookupOf: () => ({ lookupIp: () => never, lookupEmail: () => never }),
        authenticator: {
          authenticate: () => (waiting === "authenticator" ? never : application),
          refresh: () => Promise.resolve(),
          forget() {},
        },
        wrongCredentials: { count: () => Promise.resolve(0) },
        limits: () => Promise.resolve(0),
        onAnswered: ({ result }) => void results.push(result),
        nowMs: () => performance.now(),
        limitMs: 5,
      });
      const server = createServer((request, response) => void route(request, response));
      server.listen(0, "127.0.0.1");
      onTestFinished(() => void server.close());
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const headers = [["X-API-Key", "a key"]] as const;
      const answer = await rawRequest(port, {
        method: "GET",
        path: "/v1/ips/198.51.100.7",
        headers,
      });
      expectRefusal(answer, 503);
      expect(answer.header("retry-after")).toBe("2");
      expect(results).toEqual(["failed"]);
    },
  );
});

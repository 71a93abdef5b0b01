import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createRiskClient } from "../../src/lookup/client.js";
import type { RiskClientOptions } from "../../src/lookup/client-options.js";
import { RiskGateError } from "../../src/base/errors.js";
import { caught } from "../support/caught.js";
import { API_KEY, openClient } from "../support/open-client.js";
import { answering, jsonResponse, startUpstream } from "../support/raw-upstream.js";

const good = answering(jsonResponse({ risk_score: 7 }));
const valid = { baseUrl: "https://risk.example", apiKey: API_KEY };

function refusal(options: unknown): RiskGateError {
  try {
    createRiskClient(options as RiskClientOptions);
  } catch (error) {
    if (error instanceof RiskGateError) return error;
  }
  throw new Error("accepted");
}

describe("createRiskClient options", () => {
  it.each([
    ["CLI-01 a missing key", undefined],
    ["CLI-01 an empty key", ""],
    ["CLI-01 a key that is a number", 5],
    ["CLI-01 a key that is an object", { toString: () => API_KEY }],
    ["CLI-02 CR LF in the middle of the key", `${API_KEY}\r\nx: y`],
    ["CLI-02 LF at the end of the key", `${API_KEY}\n`],
    ["CLI-02 CR at the end of the key", `${API_KEY}\r`],
    ["CLI-02 NUL in the key", `${API_KEY}\0x`],
    ["CLI-02 a blank in the key", `${API_KEY} x`],
    ["CLI-02 a letter outside ASCII in the key", `${API_KEY}\u00e9`],
  ])("%s is refused", (_, apiKey) => {
    const error = refusal({ ...valid, apiKey });
    expect(error.code).toBe("CONFIG_INVALID");
    expect(inspect(error, { depth: 9, showHidden: true }) + error.stack).not.toContain(API_KEY);
  });

  it.each([
    ["CLI-03 a relative address", "/api"],
    ["CLI-03 no address", "risk example"],
    ["CLI-03 nothing", ""],
    ["CLI-03 a missing address", undefined],
    ["CLI-03 a URL object", new URL("https://risk.example")],
    ["CLI-03 ftp:", "ftp://risk.example"],
    ["CLI-03 file:", "file:///etc/passwd"],
    ["CLI-03 javascript:", "javascript:alert(1)"],
    ["CLI-04 plain http to another host", "http://risk.example"],
    ["CLI-04 plain http to a host that begins like this one", "http://127.0.0.1.example"],
    ["CLI-05 a user and password", "https://user:hunter2@risk.example"],
    ["CLI-05 a user", "https://hunter2@risk.example"],
    ["CLI-05 a query", "https://risk.example/?a=hunter2"],
    ["CLI-05 an empty query", "https://risk.example/?"],
    ["CLI-05 a fragment", "https://risk.example/#hunter2"],
  ])("%s is refused", (_, baseUrl) => {
    const error = refusal({ ...valid, baseUrl });
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain("`baseUrl`");
    expect(inspect(error, { depth: 9, showHidden: true }) + error.stack).not.toContain("hunter2");
  });

  it.each([
    ["http://127.0.0.1:1", false],
    ["http://127.8.8.8", false],
    ["http://[::1]:1", false],
    ["http://localhost", false],
    ["http://api.localhost", false],
    ["http://risk.example", true],
    ["https://risk.example/base/", false],
  ])("CLI-04 accepts %s", (baseUrl, allowInsecureHttp) => {
    expect(() => createRiskClient({ ...valid, baseUrl, allowInsecureHttp })).not.toThrow();
  });

  it.each([
    ["timeoutMs", 0],
    ["timeoutMs", Number.NaN],
    ["timeoutMs", Infinity],
    ["timeoutMs", 2 ** 31],
    ["timeoutMs", "2000"],
    ["retries", 2],
    ["retries", 0.5],
    ["maxConnections", 0],
    ["maxConnections", 1.5],
    ["cache", true],
    ["cache", { maxEntries: 0 }],
    ["cache", { ttlMs: -1 }],
    ["cache", { riskyTtlMs: Number.NaN }],
    ["cache", { staleMs: Infinity }],
    ["cache", { failureTtlMs: "1" }],
    ["cache", { store: {} }],
    ["cache", { store: { get: () => {} } }],
    ["breaker", true],
    ["breaker", { failures: 0 }],
    ["breaker", { coolDownMs: 0 }],
    ["fetch", "fetch"],
    ["ca", 5],
    ["allowInsecureHttp", "yes"],
    ["now", 5],
  ])("refuses %s %o", (name, value) => {
    // The flag is looked at only where it matters.
    const error = refusal({ ...valid, baseUrl: "http://127.0.0.1", [name]: value });
    expect(error.code).toBe("CONFIG_INVALID");
    expect(error.message).toContain(`\`${name}`);
  });

  it.each([undefined, null, "https://risk.example", 5])(
    "refuses options that are %o",
    (options) => {
      expect(refusal(options).code).toBe("CONFIG_INVALID");
    },
  );

  it("refuses authorities together with a fetch that would not heed them", () => {
    expect(refusal({ ...valid, fetch, ca: "x" }).code).toBe("CONFIG_INVALID");
  });

  it("CLI-19 is not changed by a later change of the options", async () => {
    const upstream = await startUpstream(good);
    const other = await startUpstream(good);
    const options = { baseUrl: upstream.url, apiKey: API_KEY, cache: { ttlMs: 60_000 } };
    const client = createRiskClient(options);
    options.baseUrl = other.url;
    options.apiKey = "other";
    options.cache.ttlMs = 0;
    await client.lookupIp("1.2.3.4");
    await client.lookupIp("1.2.3.4");
    await client.close();
    expect(upstream.requests).toHaveLength(1);
    expect(other.requests).toHaveLength(0);
    expect(upstream.requests[0]?.headers).toContainEqual(["x-api-key", API_KEY]);
  });

  it("CLI-19 is not changed by a polluted prototype", async () => {
    const upstream = await startUpstream(good);
    const polluted = Object.prototype as Record<string, unknown>;
    polluted["fetch"] = () => Promise.reject(new Error("polluted"));
    polluted["cache"] = false;
    polluted["allowInsecureHttp"] = true;
    try {
      const client = openClient(upstream);
      await client.lookupIp("1.2.3.4");
      await client.lookupIp("1.2.3.4");
      expect(upstream.requests).toHaveLength(1);
      expect(refusal({ ...valid, baseUrl: "http://risk.example" }).code).toBe("CONFIG_INVALID");
    } finally {
      delete polluted["fetch"];
      delete polluted["cache"];
      delete polluted["allowInsecureHttp"];
    }
  });
});

describe("request", () => {
  it.each([
    ["", "/v1/ips/1.2.3.4"],
    ["/", "/v1/ips/1.2.3.4"],
    ["/base", "/base/v1/ips/1.2.3.4"],
    ["/base/", "/base/v1/ips/1.2.3.4"],
  ])("CLI-06 goes below the base path %o", async (suffix, path) => {
    const upstream = await startUpstream(good);
    await openClient({ url: upstream.url + suffix }).lookupIp("1.2.3.4");
    expect(upstream.requests.map((request) => request.path)).toEqual([path]);
  });

  it.each([
    ["a/b@x.y", "a%2Fb%40x.y"],
    ["a?b@x.y", "a%3Fb%40x.y"],
    ["a#b@x.y", "a%23b%40x.y"],
    ["a%2fb@x.y", "a%252fb%40x.y"],
    ["a;b@x.y", "a%3Bb%40x.y"],
    ["a\\b@x.y", "a%5Cb%40x.y"],
    ['"a b"@x.y', "%22a%20b%22%40x.y"],
    ["a+b@x.y", "a%2Bb%40x.y"],
    ["\u00e9@x.y", "%C3%A9%40x.y"],
    ["a@X.Y", "a%40X.Y"],
  ])("CLI-07 holds %o as one segment", async (email, segment) => {
    const upstream = await startUpstream(good);
    await openClient(upstream).lookupEmail(email);
    expect(upstream.requests.map(({ line }) => line)).toEqual([
      `GET /v1/emails/${segment} HTTP/1.1`,
    ]);
    expect(decodeURIComponent(segment)).toBe(email);
  });

  it.each([
    ["CLI-08 two dots", ".."],
    ["CLI-08 one dot", "."],
    ["CLI-08 an empty text", ""],
    ["CLI-08 blanks", " \t\n"],
    ["CLI-09 a lone surrogate", "a\ud800@x.y"],
    ["CLI-10 321 bytes", `${"a".repeat(317)}@x.y`],
    ["CLI-10 321 bytes in fewer characters", `${"\u00e9".repeat(159)}@xy`],
    ["CLI-10 10 kB", `${"a".repeat(10_000)}@x.y`],
    ["CLI-12 null", null],
    ["CLI-12 undefined", undefined],
    ["CLI-12 a number", 5],
    ["CLI-12 an object", {}],
    ["CLI-12 an array", ["a@x.y"]],
    ["CLI-12 a symbol", Symbol("a@x.y")],
  ])("%s is no email to look up", async (_, email) => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    expect((await caught(client.lookupEmail(email as string))).code).toBe("INVALID_ARGUMENT");
    expect(client.peekEmail(email as string)).toBeUndefined();
    expect(upstream.requests).toHaveLength(0);
  });

  it("CLI-10 takes an email of 320 bytes", async () => {
    const upstream = await startUpstream(good);
    await openClient(upstream).lookupEmail(`${"a".repeat(316)}@x.y`);
    expect(upstream.requests).toHaveLength(1);
  });

  it.each(["a@x.y\r\nBcc: b@x.y", "a\0@x.y", "a\u001b@x.y", "a\t@x.y"])(
    "CLI-11 encodes the control characters of %o",
    async (email) => {
      const upstream = await startUpstream(good);
      await openClient(upstream).lookupEmail(email);
      expect(upstream.requests).toHaveLength(1);
      expect(upstream.requests[0]?.path).toBe(`/v1/emails/${encodeURIComponent(email)}`);
      expect(upstream.requests[0]?.headers.map(([name]) => name)).not.toContain("bcc");
    },
  );

  it("CLI-12 never calls toString of an identifier", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    const tricky = {
      toString: () => {
        throw new Error("called");
      },
    } as unknown as string;
    expect((await caught(client.lookupEmail(tricky))).code).toBe("INVALID_ARGUMENT");
    expect((await caught(client.lookupIp(tricky))).code).toBe("INVALID_ARGUMENT");
    expect(client.peekIp(tricky)).toBeUndefined();
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    "",
    "1.2.3",
    "01.2.3.4",
    "0x7f.1",
    "1.2.3.4:80",
    "[::1]",
    "::1/64",
    " 1.2.3.4",
    "1.2.3.4\n",
    "\uff11.2.3.4",
    "1.2.3.4%0",
    "1::2::3",
    "12345::",
    "..",
    null,
    5,
    {},
    ["1.2.3.4"],
  ])("CLI-13 does not take %o for an IP address", async (ip) => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    expect((await caught(client.lookupIp(ip as string))).code).toBe("INVALID_ARGUMENT");
    expect(client.peekIp(ip as string)).toBeUndefined();
    expect(upstream.requests).toHaveLength(0);
  });

  it.each([
    [["2001:DB8:0:0:0:0:0:1", "2001:db8::1"], "/v1/ips/2001%3Adb8%3A%3A1"],
    [["::ffff:1.2.3.4", "::ffff:102:304", "1.2.3.4"], "/v1/ips/1.2.3.4"],
  ])("CLI-14 asks once for %o", async (spellings, path) => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    for (const ip of spellings) {
      await client.lookupIp(ip);
      expect(client.peekIp(ip)?.source).toBe("cache");
    }
    expect(upstream.requests.map((request) => request.path)).toEqual([path]);
  });

  it("CLI-15 leaves out the zone of an address", async () => {
    const upstream = await startUpstream(good);
    const client = openClient(upstream);
    await client.lookupIp("fe80::1%eth0");
    await client.lookupIp("fe80::1");
    expect(upstream.requests.map(({ path }) => path)).toEqual(["/v1/ips/fe80%3A%3A1"]);
  });

  it("CLI-16 carries one key and nothing that identifies", async () => {
    const upstream = await startUpstream(good);
    await openClient(upstream).lookupEmail("a@x.y");
    const [request] = upstream.requests;
    expect(request?.headers.filter(([name]) => name === "x-api-key")).toEqual([
      ["x-api-key", API_KEY],
    ]);
    expect(request?.headers).toContainEqual(["accept", "application/json"]);
    const names = request?.headers.map(([name]) => name);
    expect(names).not.toContain("cookie");
    expect(names).not.toContain("authorization");
    expect(names).not.toContain("content-length");
    expect(request?.line).not.toContain(API_KEY);
  });

  it("CLI-17 never shows the key of a client", () => {
    const client = createRiskClient(valid);
    const shown = [
      JSON.stringify(client),
      // eslint-disable-next-line typescript/no-base-to-string -- the text itself is the subject
      String(client),
      inspect(client, { depth: 9, showHidden: true }),
    ];
    expect(shown.join()).not.toContain(API_KEY);
  });

  it.each(["live", "cached"])(
    "CLI-18 is not made for a signal that has fired (%s)",
    async (kind) => {
      const upstream = await startUpstream(good);
      const client = openClient(upstream);
      if (kind === "cached") await client.lookupIp("1.2.3.4");
      const before = upstream.requests.length;
      const signal = AbortSignal.abort();
      expect((await caught(client.lookupIp("1.2.3.4", { signal }))).code).toBe("ABORTED");
      expect(upstream.requests).toHaveLength(before);
    },
  );
});

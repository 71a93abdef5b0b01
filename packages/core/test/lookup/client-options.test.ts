import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { RiskGateError } from "../../src/base/errors.js";
import { createRiskClient } from "../../src/lookup/client.js";
import type { RiskClientOptions } from "../../src/lookup/client-options.js";
import { thrown } from "../support/caught.js";
import { API_KEY, openClient } from "../support/open-client.js";
import { answering, jsonResponse, startUpstream } from "../support/raw-upstream.js";

const good = answering(jsonResponse({ risk_score: 7 }));
const valid = { baseUrl: "https://risk.example", apiKey: API_KEY };

const refusal = (options: unknown): RiskGateError =>
  thrown(() => createRiskClient(options as RiskClientOptions));

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

  it.each(["rgr_1", "rgb_1"])("refuses the key of another kind %s", (apiKey) => {
    const { message } = refusal({ ...valid, apiKey });
    expect(message).toBe("`apiKey` must be a key that begins with rgk_, given a string");
  });

  it.each(["rgk_1", "rg", "key-of-another-service"])("accepts the key %s", async (apiKey) => {
    const client = createRiskClient({ ...valid, apiKey });
    expect(client).toHaveProperty("lookupIp");
    await client.close();
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
    "http://evil-localhost",
    "http://evillocalhost",
    "http://localhost.evil.example",
    "http://api.localhost.evil.example",
    "http://localhost-evil",
    "http://127.0.0.1.evil.example",
    "http://127.evil.example",
    "http://127-0-0-1",
    "http://128.0.0.1",
    "http://0.0.0.0",
    "http://[::2]",
    "http://[::1:1]",
    "http://[2001:db8::1]",
    "http://loca1host",
    "http://\u0131ocalhost",
    "http://localhost%2eevil.example",
  ])("CLI-04 does not take %s for this machine", (baseUrl) => {
    expect(refusal({ ...valid, baseUrl }).code).toBe("CONFIG_INVALID");
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

  it.each([
    [{ timeoutMS: 5 }, "`timeoutMS`: unknown option; did you mean `timeoutMs`?"],
    [{ retires: 1 }, "`retires`: unknown option; did you mean `retries`?"],
    [{ cache: { ttl: 5 } }, "`cache.ttl`: unknown option; did you mean `ttlMs`?"],
    [{ breaker: { failure: 5 } }, "`breaker.failure`: unknown option; did you mean `failures`?"],
  ])("refuses the unknown name in %o", (options, message) => {
    expect(refusal({ ...valid, ...options }).message).toBe(message);
  });

  it.each([
    ["/api", 'an absolute URL that starts with https://, given "/api"'],
    [undefined, "an absolute URL that starts with https://, given nothing"],
    [
      "http://risk.example",
      'an https: URL, unless `allowInsecureHttp` is set, given "http://risk.example"',
    ],
    ["https://hunter2@risk.example", "a URL without credentials, given a string"],
  ])("shows the address %o where it holds no secret", (baseUrl, expected) => {
    expect(refusal({ ...valid, baseUrl }).message).toBe(`\`baseUrl\` must be ${expected}`);
  });

  it("takes times that are only compared at any length", () => {
    const cache = { ttlMs: 1e11, riskyTtlMs: 1e11, staleMs: 1e11, failureTtlMs: 1e11 };
    const options = { ...valid, cache, breaker: { coolDownMs: 1e11 } };
    expect(() => createRiskClient(options)).not.toThrow();
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
    const options = {
      baseUrl: upstream.url,
      apiKey: API_KEY,
      cache: { ttlMs: 60_000 },
      timeoutMs: 30_000,
    };
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

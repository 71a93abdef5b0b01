import { describe, expect, it } from "vitest";
import { caught } from "../support/caught.js";
import { createGate } from "../../src/gate/gate.js";
import { unhandledRejections } from "../support/fake-clock.js";
import { openClient } from "../support/open-client.js";

const service = { url: "https://risk.example" };
const json = { "content-type": "application/json" };

describe("a fetch of the application", () => {
  it("is given the address, the key and a signal, and must not follow", async () => {
    const calls: Parameters<typeof fetch>[] = [];
    const client = openClient(service, {
      fetch: async (...call) => {
        calls.push(call);
        return new Response('{"risk_score":3}', { headers: json });
      },
    });
    expect((await client.lookupIp("1.2.3.4")).risk_score).toBe(3);
    const [[url, init]] = calls as [Parameters<typeof fetch>];
    expect(url).toBe("https://risk.example/v1/ips/1.2.3.4");
    expect(init).toMatchObject({ method: "GET", redirect: "manual" });
    expect(init?.headers).toEqual({ "x-api-key": "key-5ee9b1c2", accept: "application/json" });
  });

  it("is left behind when it heeds no signal", async () => {
    const client = openClient(service, {
      fetch: () => new Promise(() => {}),
      timeoutMs: 30,
      maxConnections: 1,
    });
    expect((await caught(client.lookupIp("1.2.3.4"))).code).toBe("TIMEOUT");
    const controller = new AbortController();
    const second = caught(client.lookupIp("1.2.3.5", { signal: controller.signal }));
    controller.abort();
    expect((await second).code).toBe("ABORTED");
  });

  it("has its body cancelled when the answer comes after the deadline", async () => {
    let respond!: (response: Response) => void;
    const client = openClient(service, {
      fetch: () => new Promise((resolve) => (respond = resolve)),
      timeoutMs: 30,
    });
    expect((await caught(client.lookupIp("1.2.3.4"))).code).toBe("TIMEOUT");
    const cancelled = new Promise((resolve) =>
      respond(new Response(new ReadableStream({ cancel: resolve }), { headers: json })),
    );
    await cancelled;
    expect(client.peekIp("1.2.3.4")).toBeUndefined();
  });

  it.each<[string, () => Promise<Response>, string]>([
    [
      "throws",
      () => {
        throw new TypeError("x");
      },
      "NETWORK",
    ],
    ["rejects with no error", () => Promise.reject(Object.create(null) as Error), "NETWORK"],
    ["gives no response", () => Promise.resolve(undefined as never), "INVALID_RESPONSE"],
    [
      "hides a redirect, as browsers do",
      () => Promise.resolve(opaqueRedirect()),
      "REDIRECT_REFUSED",
    ],
    ["gives no body", () => Promise.resolve(new Response(null)), "INVALID_RESPONSE"],
  ])("that %s is an error with a code", async (_, fetch, code) => {
    const client = openClient(service, { fetch, retries: 0 });
    expect((await caught(client.lookupIp("1.2.3.4"))).code).toBe(code);
  });
});

describe("a fetch of the application that answers with something else", () => {
  const bodyOf = (read: () => unknown): unknown => ({
    getReader: () => ({ read, cancel: async () => {} }),
  });
  const headers = { get: (): null => null };

  it.each<[string, unknown, string]>([
    ["nothing", null, "INVALID_RESPONSE"],
    ["a text", "200 OK", "INVALID_RESPONSE"],
    ["no status", {}, "INVALID_RESPONSE"],
    ["a status that is text", { status: "200" }, "INVALID_RESPONSE"],
    ["a status that is not a number", { status: NaN }, "INVALID_RESPONSE"],
    ["a refusal without headers", { ok: false, status: 503 }, "UPSTREAM_STATUS"],
    ["a refusal with plain headers", { status: 429, headers: { a: "1" } }, "RATE_LIMITED"],
    ["an answer without headers and body", { ok: true, status: 200 }, "INVALID_RESPONSE"],
    ["headers that are not text", { status: 429, headers: { get: () => 5 } }, "RATE_LIMITED"],
    ["headers that throw", { status: 200, headers: { get: thrower } }, "NETWORK"],
    ["a body that is not a stream", { status: 200, headers, body: "{}" }, "NETWORK"],
    [
      "a body of text",
      { status: 200, headers, body: bodyOf(() => ({ value: "{" })) },
      "INVALID_RESPONSE",
    ],
    ["a body of nothing", { status: 200, headers, body: bodyOf(() => undefined) }, "NETWORK"],
    ["a body that throws", { status: 200, headers, body: bodyOf(thrower) }, "NETWORK"],
    [
      "a refusal whose body throws",
      { status: 503, headers, body: bodyOf(thrower) },
      "UPSTREAM_STATUS",
    ],
    [
      "a body of empty pieces without end",
      { status: 200, headers, body: bodyOf(() => ({ value: new Uint8Array() })) },
      "RESPONSE_TOO_LARGE",
    ],
  ])("%s rejects with a code", async (_, answer, code) => {
    const unhandled = unhandledRejections();
    const client = openClient(service, { fetch: async () => answer as Response });
    expect((await caught(client.lookupIp("1.2.3.4"))).code).toBe(code);
    const gate = createGate({ lookup: client, onError: () => {} });
    expect((await gate.decide({ ip: "8.8.8.8" })).ip.state).toBe("failed");
    expect(await unhandled()).toBe(0);
  });

  it("keeps the status of a refusal whose body never ends", async () => {
    const body = bodyOf(() => new Promise(() => {}));
    const response = { status: 429, headers: new Headers({ "retry-after": "30" }), body };
    const client = openClient(service, { fetch: async () => response as Response, timeoutMs: 50 });
    const error = await caught(client.lookupIp("1.2.3.4"));
    expect([error.code, error.retryAfterMs]).toEqual(["RATE_LIMITED", 30_000]);
  });
});

function thrower(): never {
  throw new TypeError("mine");
}

/** Only a browser can make one: status 0 and a type that says why. */
function opaqueRedirect(): Response {
  return new Proxy(new Response(null), {
    get: (target, name) =>
      name === "type"
        ? "opaqueredirect"
        : name === "status"
          ? 0
          : Reflect.get(target, name, target),
  });
}

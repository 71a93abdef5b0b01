import { describe, expect, it } from "vitest";
import { caught } from "../support/caught.js";
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
    const second = caught(client.lookupIp("1.2.3.4", { signal: controller.signal }));
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
    ["gives no response", () => Promise.resolve(undefined as never), "NETWORK"],
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

import { createVelocity } from "@riskgate/core";
import { createFakeLookup } from "@riskgate/testing";
import fastify, { type FastifyServerOptions } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const codes: (string | undefined)[] = [];
const onWarning = (warning: Error & { code?: string }) => void codes.push(warning.code);

/** Serve some requests with fresh modules: every warning is given once in a process. */
async function codesOf(
  options: FastifyServerOptions,
  gate: object = {},
  requests = 2,
): Promise<(string | undefined)[]> {
  vi.resetModules();
  const { riskGate } = await import("../src/risk-gate.js");
  const app = fastify(options);
  await app.register(riskGate, { lookup: createFakeLookup(), ...gate });
  app.post("/on", { config: { riskGate: true } }, () => ({}));
  for (let sent = 0; sent < requests; sent++) {
    await app.inject({ method: "POST", url: "/on", payload: {} });
  }
  await app.close();
  await new Promise((resolve) => setImmediate(resolve));
  return codes.splice(0);
}

describe("warnings of riskGate", () => {
  beforeEach(() => void process.on("warning", onWarning));
  afterEach(() => void process.off("warning", onWarning));

  it.each([
    ["true", true, ["RISKGATE_UNSAFE_TRUST"]],
    ["a number", 1, ["RISKGATE_UNSAFE_TRUST"]],
    ["a function of all", () => true, ["RISKGATE_UNSAFE_TRUST"]],
    ["false", false, []],
    ["an address", "127.0.0.1", []],
    ["a list", ["10.0.0.0/8", "127.0.0.1"], []],
  ])("tell once of trustProxy set to %s", async (_, trustProxy, expected) => {
    expect(await codesOf({ trustProxy } as FastifyServerOptions)).toEqual(expected);
  });

  it("belong to a Fastify that ignores a number", async () => {
    const app = fastify({ trustProxy: 1 } as unknown as FastifyServerOptions);
    app.get("/", ({ ip }) => ip);
    const headers = { "x-forwarded-for": "1.1.1.1, 2.2.2.2" };
    expect((await app.inject({ url: "/", headers })).body).toBe("127.0.0.1");
    await app.close();
  });

  it("tell once of it in a login watch", async () => {
    vi.resetModules();
    const { loginWatch } = await import("../src/login-watch.js");
    const app = fastify({ trustProxy: true });
    const velocity = createVelocity({ counts: "failed_logins" });
    app.post("/on", { preHandler: loginWatch({ velocity }) }, () => ({}));
    for (let sent = 0; sent < 2; sent++) {
      await app.inject({ method: "POST", url: "/on", payload: {} });
    }
    await app.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(codes.splice(0)).toEqual(["RISKGATE_UNSAFE_TRUST"]);
  });

  it("do not tell of a setting that trustedProxies replaces", async () => {
    expect(await codesOf({ trustProxy: true }, { trustedProxies: ["127.0.0.1"] })).toEqual([]);
  });

  it("tell of 1,000 requests from one private address", async () => {
    expect(await codesOf({}, {}, 999)).toEqual([]);
    expect(await codesOf({}, {}, 1000)).toEqual(["RISKGATE_SINGLE_CLIENT"]);
  });
});

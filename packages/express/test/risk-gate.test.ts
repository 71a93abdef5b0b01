import { createRequire } from "node:module";
import { createVelocity } from "@riskgate/core";
import { createFakeLookup, payloads, rawRequest, serveHttp, signDelivery } from "@riskgate/testing";
import type { MadeDecision } from "@riskgate/core/log";
import express, { type ErrorRequestHandler, type Express } from "express";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requireDecision, riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { webhookRoute } from "../src/webhook-route.js";

const codes: (string | undefined)[] = [];
const onWarning = (warning: Error & { code?: string }) => void codes.push(warning.code);
beforeEach(() => void process.on("warning", onWarning));
afterEach(() => void process.off("warning", onWarning));

const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Post to a path of an application, so many times, and give the last status. */
async function post(
  app: Express,
  path: string,
  {
    headers = [],
    body = "{}",
    times = 1,
  }: Partial<Parameters<typeof rawRequest>[1]> & { times?: number } = {},
): Promise<number> {
  const { port, close } = await serveHttp(app);
  try {
    let status = 0;
    for (let sent = 0; sent < times; sent++) {
      ({ status } = await rawRequest(port, { path, headers: [JSON_TYPE, ...headers], body }));
    }
    return status;
  } finally {
    await close();
  }
}

describe("requireDecision", () => {
  it.each([
    ["5", express],
    ["4", createRequire(import.meta.url)("express4") as typeof express],
  ])("names the route that no gate has decided about, in Express %s", async (_, framework) => {
    const app = framework();
    const errors: unknown[] = [];
    const router = framework.Router();
    router.post("/:plan/signup", (request) => void requireDecision(request));
    app.use("/api", router);
    app.use(((error, _request, response, _next) => {
      errors.push(error);
      response.status(500).end();
    }) as ErrorRequestHandler);
    expect(await post(app, "/api/free/signup")).toBe(500);
    expect(errors).toMatchObject([
      { code: "NOT_GATED", message: "no gate has decided about POST /api/:plan/signup" },
    ]);
  });
});

describe("riskGate", () => {
  const lookup = createFakeLookup({ "198.51.100.9": { risk_score: 95 } });

  it("gives rules the path that the client asked for, below a mount too", async () => {
    const rules = [{ name: "path", when: { path: ["/api/signup"] }, outcome: "reject" as const }];
    const router = express.Router();
    router.post("/signup", riskGate({ lookup, rules }), (_, response) => void response.end());
    const app = express().use(express.json()).use("/api", router).use(router);
    expect(await post(app, "/API/SignUp/?a=1")).toBe(403);
    expect(await post(app, "/signup")).toBe(200);
  });

  it("takes the client address that Express gives", async () => {
    const app = express();
    app.set("trust proxy", "loopback");
    app.post("/on", riskGate({ lookup, lookupPrivateIps: true }), (_, res) => void res.end());
    const from = async (ip: string) => post(app, "/on", { headers: [["X-Forwarded-For", ip]] });
    expect([await from("198.51.100.9"), await from("198.51.100.8")]).toEqual([403, 200]);
  });

  it("ADP-03 works in front of itself", async () => {
    const app = express();
    app.use(riskGate({ lookup }));
    app.post("/on", express.json(), riskGate({ lookup }), (_, res) => void res.end());
    expect(await post(app, "/on", { body: '{"email":"a@shop.example"}' })).toBe(200);
  });

  it.each([{}, { lookup, flagAbove: 90 }, { lookup, trustedProxies: ["proxy"] }])(
    "refuses %j at set-up",
    (options) => {
      const make = () => riskGate(options as Parameters<typeof riskGate>[0]);
      expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    },
  );

  it.each([
    [undefined, "the options of riskGate() must be an object, given nothing"],
    [{ lookup, rejectabove: 90 }, "`rejectabove`: unknown option; did you mean `rejectAbove`?"],
  ])("says what is wrong with the options %j", (options, message) => {
    const make = () => riskGate(options as unknown as RiskGateOptions);
    expect(make).toThrow(expect.objectContaining({ code: "CONFIG_INVALID", message }));
  });
});

describe("webhookRoute", () => {
  it("takes the bytes that express.raw has read", async () => {
    const handled: unknown[] = [];
    const on = { test: (payload: object) => void handled.push(payload) };
    const app = express();
    const route = webhookRoute({ secrets: "hook-secret-1", on, maxBytes: 10_000 });
    app.post("/hook", express.raw({ type: () => true, limit: "1mb" }), route);
    const send = async (elements: readonly unknown[]) => {
      const { body, signature } = signDelivery(elements, "hook-secret-1");
      return post(app, "/hook", { body, headers: [["X-Service-Integrity", signature]] });
    };
    expect(await send([payloads.test()])).toBe(204);
    expect(handled).toHaveLength(1);
    expect(await send([payloads.test({ note: "x".repeat(10_000) })])).toBe(413);
    expect(handled).toHaveLength(1);
  });
});

describe("warnings of riskGate", () => {
  /** Codes after two requests, with fresh modules: every warning is given once in a process. */
  async function codesOf(trust: unknown, before: "json" | "none", options: object = {}, times = 2) {
    codes.length = 0;
    vi.resetModules();
    const fresh = await import("../src/risk-gate.js");
    const app = express();
    app.set("trust proxy", trust);
    if (before === "json") app.use(express.json());
    const gate = fresh.riskGate({ lookup: createFakeLookup(), ...options });
    app.post("/on", gate, (_, res) => void res.end());
    await post(app, "/on", { times });
    return codes.splice(0);
  }

  it.each([
    ["true", true, ["RISKGATE_UNSAFE_TRUST"]],
    ["false", false, []],
    ["a name", "loopback", []],
    ["a list", "10.0.0.0/8, 127.0.0.1", []],
    ["a count", 1, []],
  ])("tell once of trust proxy set to %s", async (_, trust, expected) => {
    expect(await codesOf(trust, "json")).toEqual(expected);
  });

  it("tell once of it if a login watch is behind the gate or without one", async () => {
    for (const withGate of [true, false]) {
      codes.length = 0;
      vi.resetModules();
      const { loginWatch, riskGate: fresh } = await import("../src/index.js");
      const app = express().set("trust proxy", true).use(express.json());
      if (withGate) app.use(fresh({ lookup: createFakeLookup() }));
      const velocity = createVelocity({ counts: "failed_logins" });
      app.post("/on", loginWatch({ velocity }), (_, res) => void res.end());
      await post(app, "/on", { times: 2 });
      expect(codes.splice(0)).toEqual(["RISKGATE_UNSAFE_TRUST"]);
    }
  });

  it("do not tell of a setting that trustedProxies replaces", async () => {
    expect(await codesOf(true, "json", { trustedProxies: ["127.0.0.1"] })).toEqual([]);
  });

  it("tell once of more trusted proxies than there are", async () => {
    const expected = ["RISKGATE_NO_CLIENT_ADDRESS"];
    expect(await codesOf(false, "json", { trustedProxies: 2 }, 49)).toEqual([]);
    expect(await codesOf(false, "json", { trustedProxies: 2 }, 60)).toEqual(expected);
  });

  it("tell once of a body that no parser has read", async () => {
    expect(await codesOf(false, "none")).toEqual(["RISKGATE_BODY_NOT_PARSED"]);
    expect(await codesOf(false, "none", { email: () => undefined })).toEqual([]);
  });

  it("tell of 1,000 requests from one private address", async () => {
    expect(await codesOf(false, "json", {}, 1000)).toEqual(["RISKGATE_SINGLE_CLIENT"]);
  });

  it("tell once of a webhook behind a body parser", async () => {
    codes.length = 0;
    vi.resetModules();
    const fresh = await import("../src/webhook-route.js");
    const app = express();
    app.use(express.json());
    app.post(
      "/hook",
      fresh.webhookRoute({ secrets: "hook-secret-1", on: { test() {} }, onError() {} }),
    );
    const { body, signature } = signDelivery("[]", "hook-secret-1");
    const headers = [["X-Service-Integrity", signature]] as const;
    expect(await post(app, "/hook", { body, headers, times: 3 })).toBe(500);
    expect(codes.splice(0)).toEqual(["RISKGATE_RAW_BODY_UNAVAILABLE"]);
  });
});

describe("the log of a gate", () => {
  it.each([
    ["5", express],
    ["4", createRequire(import.meta.url)("express4") as typeof express],
  ])("gets the pattern of the route, in Express %s", async (_, framework) => {
    const routes: (string | undefined)[] = [];
    const log = { record: ({ route }: MadeDecision) => void routes.push(route) };
    const gate = riskGate({ lookup: createFakeLookup(), log });
    const app = framework();
    const router = framework.Router();
    router.post("/:plan/signup", gate, (_request, response) => void response.end());
    app.use("/api", router);
    app.use("/plain", gate, (_request, response) => void response.end());
    await post(app, "/api/free/signup?x=1");
    await post(app, "/plain/203.0.113.7/edit?x=1");
    expect(routes).toEqual(["POST /api/:plan/signup", "POST /plain/:value/edit"]);
  });
});

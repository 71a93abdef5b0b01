import { bodyParser } from "@koa/bodyparser";
import { Router } from "@koa/router";
import { createVelocity } from "@riskgate/core";
import { createFakeLookup, rawRequest, serveHttp } from "@riskgate/testing";
import type { MadeDecision } from "@riskgate/core/log";
import Koa from "koa";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { requireDecision, riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { webhookRoute } from "../src/webhook-route.js";

const codes: (string | undefined)[] = [];
const onWarning = (warning: Error & { code?: string }) => void codes.push(warning.code);
beforeEach(() => void process.on("warning", onWarning));
afterEach(() => void process.off("warning", onWarning));

const JSON_TYPE = ["Content-Type", "application/json"] as const;

async function post(app: Koa, path: string, body = "{}", times = 1, ip?: string) {
  const { port, close } = await serveHttp(app.callback());
  try {
    let status = 0;
    const from = ip === undefined ? [] : [["X-Forwarded-For", ip] as const];
    for (let sent = 0; sent < times; sent++) {
      ({ status } = await rawRequest(port, { path, headers: [JSON_TYPE, ...from], body }));
    }
    return status;
  } finally {
    await close();
  }
}

const lookup = createFakeLookup({
  "bad@shop.example": { risk_score: 95 },
  "198.51.100.9": { risk_score: 95 },
});

describe("requireDecision", () => {
  it("names the route that no gate has decided about", async () => {
    const errors: unknown[] = [];
    const app = new Koa();
    app.use(async (_, next) => {
      try {
        await next();
      } catch (error) {
        errors.push(error);
      }
    });
    const router = new Router();
    router.post("/:plan/signup", (context) => void requireDecision(context));
    app.use(router.routes()).use((context) => void requireDecision(context));
    await post(app, "/free/signup");
    await post(app, "/other");
    expect(errors).toMatchObject([
      { code: "NOT_GATED", message: "no gate has decided about POST /:plan/signup" },
      { code: "NOT_GATED", message: "no gate has decided about POST /other" },
    ]);
  });
});

describe("riskGate", () => {
  it("CHL-02 passes a challenge where a middleware has set a status before", async () => {
    const app = new Koa();
    const router = new Router();
    const tokens: string[] = [];
    const gate = riskGate({
      lookup: createFakeLookup({}, { otherwise: { risk_score: 60 } }),
      challengeAbove: 50,
      challenge: { secrets: "0123456789abcdef0123456789abcdef" },
      onChallenge(_decision, { token }, context) {
        tokens.push(token);
        context.status = 403;
      },
      verifyChallenge: () => true,
    });
    const early: Koa.Middleware = (context, next) => {
      context.status = 202;
      return next();
    };
    router.post("/signup", early, bodyParser(), gate, (context) => {
      context.body = "passed";
      context.status = 201;
    });
    app.use(router.routes());
    const email = "odd@shop.example";
    expect(await post(app, "/signup", JSON.stringify({ email }))).toBe(403);
    const [challengeToken] = tokens;
    expect(await post(app, "/signup", JSON.stringify({ email, challengeToken }))).toBe(201);
  });

  it("takes the client address that Koa gives", async () => {
    const app = new Koa({ proxy: true, maxIpsCount: 1 });
    app.use(riskGate({ lookup, lookupPrivateIps: true })).use((ctx) => void (ctx.body = "ok"));
    expect(await post(app, "/", "{}", 1, "198.51.100.8, 198.51.100.9")).toBe(403);
    expect(await post(app, "/", "{}", 1, "198.51.100.9, 198.51.100.8")).toBe(200);
  });

  it("gives rules the path that the client asked for, below a mount too", async () => {
    const rules = [{ name: "path", when: { path: ["/api/signup"] }, outcome: "reject" as const }];
    const app = new Koa();
    app.use((ctx, next) => {
      ctx.path = ctx.path.replace(/^\/api/, "");
      return next();
    });
    app.use(riskGate({ lookup, rules })).use((ctx) => void (ctx.body = "ok"));
    expect(await post(app, "/API/signup/?a=1")).toBe(403);
    expect(await post(app, "/signup")).toBe(200);
  });

  it("ADP-03 works in front of itself", async () => {
    const app = new Koa();
    app.use(bodyParser()).use(riskGate({ lookup })).use(riskGate({ lookup }));
    app.use((ctx) => void (ctx.body = ctx.state.risk?.outcome));
    expect(await post(app, "/", '{"email":"good@shop.example"}')).toBe(200);
    expect(await post(app, "/", '{"email":"bad@shop.example"}')).toBe(403);
  });

  it("lets what other middleware sets stand beside its refusal", async () => {
    const app = new Koa();
    app.use(async (ctx, next) => {
      ctx.set("x-frame-options", "DENY");
      await next();
    });
    app.use(bodyParser()).use(riskGate({ lookup }));
    const { port, close } = await serveHttp(app.callback());
    const body = '{"email":"bad@shop.example"}';
    const answer = await rawRequest(port, { path: "/", headers: [JSON_TYPE], body });
    await close();
    expect([answer.status, answer.header("x-frame-options")]).toEqual([403, "DENY"]);
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
  it("ADP-03 is mounted on several paths", async () => {
    const router = new Router();
    const options = { secrets: "hook-secret-1", on: { test() {} } };
    router.post("/a", webhookRoute(options)).post("/b", webhookRoute(options));
    const app = new Koa();
    app.use(router.routes());
    expect([await post(app, "/a"), await post(app, "/b")]).toEqual([401, 401]);
  });
});

describe("warnings of riskGate", () => {
  /** Codes after two requests, with fresh modules: every warning is given once in a process. */
  async function codesOf(settings: object, options: object = {}, parsed = true, times = 2) {
    codes.length = 0;
    vi.resetModules();
    const fresh = await import("../src/risk-gate.js");
    const app = new Koa(settings);
    if (parsed) app.use(bodyParser());
    app.use(fresh.riskGate({ lookup: createFakeLookup(), ...options }));
    app.use((ctx) => void (ctx.body = "ok"));
    await post(app, "/", "{}", times);
    return codes.splice(0);
  }

  it.each([
    ["proxy without a cap", { proxy: true }, ["RISKGATE_UNSAFE_TRUST"]],
    ["proxy with a cap", { proxy: true, maxIpsCount: 1 }, []],
    ["no proxy", {}, []],
    ["a cap without proxy", { maxIpsCount: 1 }, []],
  ])("tell once of %s", async (_, settings, expected) => {
    expect(await codesOf(settings)).toEqual(expected);
  });

  it("tell once of it in a login watch", async () => {
    codes.length = 0;
    vi.resetModules();
    const { loginWatch } = await import("../src/login-watch.js");
    const app = new Koa({ proxy: true });
    app.use(bodyParser());
    app.use(loginWatch({ velocity: createVelocity({ counts: "failed_logins" }) }));
    app.use((ctx) => void (ctx.body = "ok"));
    await post(app, "/", "{}", 2);
    expect(codes.splice(0)).toEqual(["RISKGATE_UNSAFE_TRUST"]);
  });

  it("do not tell of a setting that trustedProxies replaces", async () => {
    expect(await codesOf({ proxy: true }, { trustedProxies: ["127.0.0.1"] })).toEqual([]);
  });

  it("tell once of a body that no parser has read", async () => {
    expect(await codesOf({}, {}, false)).toEqual(["RISKGATE_BODY_NOT_PARSED"]);
  });

  it("tell of 1,000 requests from one private address", async () => {
    expect(await codesOf({}, {}, true, 1000)).toEqual(["RISKGATE_SINGLE_CLIENT"]);
  });
});

describe("the log of a gate", () => {
  it("gets the pattern of the route", async () => {
    const routes: (string | undefined)[] = [];
    const log = { record: ({ route }: MadeDecision) => void routes.push(route) };
    const gate = riskGate({ lookup, log });
    const router = new Router();
    router.post("/:plan/signup", gate, (context) => void (context.status = 204));
    const app = new Koa();
    app.use(bodyParser()).use(router.routes());
    app.use(gate).use((context) => void (context.status = 204));
    await post(app, "/free/signup?x=1");
    await post(app, "/plain/203.0.113.7/edit?x=1");
    expect(routes).toEqual(["POST /:plan/signup", "POST /plain/:value/edit"]);
  });
});

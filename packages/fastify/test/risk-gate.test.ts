import { createFakeLookup } from "@riskgate/testing";
import type { MadeDecision } from "@riskgate/core/log";
import fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { requireDecision, riskGate, type RiskGateOptions } from "../src/risk-gate.js";
import { webhookRoute } from "../src/webhook-route.js";

const apps: FastifyInstance[] = [];
const create = (options: FastifyServerOptions = {}): FastifyInstance => {
  const app: FastifyInstance = fastify(options);
  apps.push(app);
  return app;
};
afterEach(async () => {
  await Promise.all(apps.splice(0).map(async (app) => app.close()));
});

const lookup = createFakeLookup({
  "bad@shop.example": { risk_score: 85 },
  "198.51.100.9": { risk_score: 95 },
});
const post = async (app: FastifyInstance, url: string, email: string) =>
  (await app.inject({ method: "POST", url, payload: { email } })).statusCode;

describe("requireDecision", () => {
  it("names the route that no gate has decided about", async () => {
    const app = create();
    const errors: unknown[] = [];
    app.setErrorHandler((error, _request, reply) => {
      errors.push(error);
      return reply.code(500).send();
    });
    await app.register(riskGate, { lookup, skip: () => true });
    app.post("/:plan/signup", { config: { riskGate: true } }, (request) =>
      requireDecision(request),
    );
    expect(await post(app, "/free/signup", "a@x.y")).toBe(500);
    expect(errors).toMatchObject([
      { code: "NOT_GATED", message: "no gate has decided about POST /:plan/signup" },
    ]);
  });
});

describe("the rules of a gate", () => {
  it("know the path that the client asked for, below a prefix too", async () => {
    const rules = [{ name: "path", when: { path: ["/api/signup"] }, outcome: "reject" as const }];
    const app = create();
    await app.register(riskGate, { lookup, rules });
    const scope = async (inner: FastifyInstance) =>
      void inner.post("/signup", { config: { riskGate: true } }, () => ({}));
    await app.register(scope, { prefix: "/api" });
    await app.register(scope);
    expect(await post(app, "/api/sign%75p?a=1", "a@x.y")).toBe(403);
    expect(await post(app, "/signup", "a@x.y")).toBe(200);
  });
});

describe("a route whose config asks for a gate", () => {
  const gated = { config: { riskGate: true } };
  const bad = "bad@shop.example";

  it("is covered where the plugin is registered without await", async () => {
    const app = create();
    void app.register(riskGate, { lookup });
    app.post("/on", gated, () => ({}));
    app.post("/softer", { config: { riskGate: { rejectAbove: 90 } } }, () => ({}));
    expect([await post(app, "/on", bad), await post(app, "/softer", bad)]).toEqual([403, 200]);
  });

  it("is covered where it stands before the plugin, in a scope below as well", async () => {
    const app = create();
    app.post("/on", gated, () => ({}));
    await app.register(async (scope) => void scope.post("/below", gated, () => ({})));
    await app.register(riskGate, { lookup });
    expect([await post(app, "/on", bad), await post(app, "/below", bad)]).toEqual([403, 403]);
    expect(await post(app, "/on", "good@shop.example")).toBe(200);
  });

  it("is guarded once, before its own preHandlers", async () => {
    const app = create();
    const decisions: unknown[] = [];
    const seen: unknown[] = [];
    const preHandler = async (request: FastifyRequest) => void seen.push(request.risk?.outcome);
    app.post("/on", { ...gated, preHandler }, () => ({}));
    await app.register(riskGate, { lookup, onDecision: (decision) => decisions.push(decision) });
    await app.register(async (scope) => void scope.get("/below", gated, () => ({})));
    await post(app, "/on", "good@shop.example");
    expect([decisions.length, seen]).toEqual([1, ["allow"]]);
    expect((await app.inject({ url: "/below" })).statusCode).toBe(200);
    expect((await app.inject({ url: "/below", method: "HEAD" })).statusCode).toBe(200);
    expect(decisions).toHaveLength(3);
  });

  it.each<[string, (app: FastifyInstance) => unknown]>([
    ["no plugin", () => {}],
    [
      "the plugin in a sibling scope",
      (app) =>
        app.register(async (scope) => {
          await scope.register(riskGate, { lookup });
        }),
    ],
  ])("keeps an application with %s from getting ready", async (_, build) => {
    const app = create();
    await build(app);
    await app.register(async (scope) => void scope.post("/on", gated, () => ({})), {
      prefix: "/v1",
    });
    await expect(app.ready()).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: "`config.riskGate`: no riskGate plugin covers POST /v1/on, which requires it",
    });
  });

  it("refuses a wrong override that stands before the plugin", async () => {
    const app = create();
    app.post("/on", { config: { riskGate: { budgetMs: 0 } } }, () => ({}));
    await expect(app.register(riskGate, { lookup })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });
});

describe("riskGate", () => {
  it("guards routes by their config, with overrides of their own", async () => {
    const app = create();
    await app.register(riskGate, { lookup });
    app.post("/open", () => ({}));
    app.post("/on", { config: { riskGate: true } }, ({ risk }) => risk?.outcome);
    app.post("/off", { config: { riskGate: false } }, () => ({}));
    app.post("/softer", { config: { riskGate: { rejectAbove: 90 } } }, ({ risk }) => risk?.outcome);
    app.post("/hook", { preHandler: app.riskGate({ rejectAbove: 90 }) }, ({ risk }) => risk?.score);
    const statuses: Record<string, number> = {};
    for (const url of ["/open", "/on", "/off", "/softer", "/hook"]) {
      statuses[url] = await post(app, url, "bad@shop.example");
    }
    expect(statuses).toEqual({
      "/open": 200,
      "/on": 403,
      "/off": 200,
      "/softer": 200,
      "/hook": 200,
    });
  });

  it("runs before the preHandlers of the route", async () => {
    const app = create();
    await app.register(riskGate, { lookup });
    const outcomes: string[] = [];
    const preHandler = async (request: FastifyRequest): Promise<void> =>
      void outcomes.push(requireDecision(request).outcome);
    app.post("/on", { config: { riskGate: true }, preHandler }, () => ({}));
    expect(await post(app, "/on", "good@shop.example")).toBe(200);
    expect(outcomes).toEqual(["allow"]);
  });

  it("leaves alone an answer that onReject has begun through reply.raw", async () => {
    const app = create();
    await app.register(riskGate, {
      lookup,
      budgetMs: 50,
      onError() {},
      async onReject(_decision, _request, { raw }) {
        raw.writeHead(403);
        raw.write("not ");
        await new Promise((resolve) => setTimeout(resolve, 200));
        raw.end("welcome");
      },
    });
    app.post("/on", { config: { riskGate: true } }, () => ({}));
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const answer = await fetch(`${url}/on`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"email":"bad@shop.example"}',
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toBe("not welcome");
  });

  it("takes the client address that Fastify gives", async () => {
    const app = create({ trustProxy: "127.0.0.1" });
    await app.register(riskGate, { lookup, lookupPrivateIps: true });
    app.post("/on", { config: { riskGate: true } }, () => ({}));
    const from = async (address: string) => {
      const headers = { "x-forwarded-for": address };
      return (await app.inject({ method: "POST", url: "/on", headers, payload: {} })).statusCode;
    };
    expect([await from("198.51.100.9"), await from("198.51.100.8")]).toEqual([403, 200]);
  });

  it("ADP-03 refuses to be registered twice in one scope", async () => {
    const app = create();
    await app.register(riskGate, { lookup });
    await expect(app.register(riskGate, { lookup })).rejects.toMatchObject({
      name: "RiskGateError",
      code: "CONFIG_INVALID",
      hint: expect.stringContaining("app.riskGate(overrides)") as string,
    });
  });

  it("ADP-03 works twice in scopes beside each other", async () => {
    const app = create();
    for (const [path, rejectAbove] of [
      ["/a", 80],
      ["/b", 90],
    ] as const) {
      await app.register(async (scope) => {
        await scope.register(riskGate, { lookup, rejectAbove });
        scope.post(path, { config: { riskGate: true } }, () => ({}));
      });
    }
    expect(await post(app, "/a", "bad@shop.example")).toBe(403);
    expect(await post(app, "/b", "bad@shop.example")).toBe(200);
  });

  it.each(["4.28.1", "6.0.0"])("ADP-04 refuses Fastify %s, naming the range", async (version) => {
    const app = create();
    Object.defineProperty(app, "version", { value: version });
    await expect(app.register(riskGate, { lookup })).rejects.toMatchObject({
      code: "FST_ERR_PLUGIN_VERSION_MISMATCH",
      message: expect.stringContaining("'5.x'"),
    });
  });

  it("takes no option of Fastify for one of its own", async () => {
    const app = create();
    const options = { lookup, prefix: "/v1", logLevel: "warn", logSerializers: {} } as const;
    await app.register(riskGate, options);
    app.post("/on", { config: { riskGate: true } }, () => ({}));
    expect(await post(app, "/on", "bad@shop.example")).toBe(403);
  });

  it.each([
    [undefined, "`lookup` must be a client, an engine or its promise, given nothing"],
    [{ lookup, rejectabove: 90 }, "`rejectabove`: unknown option; did you mean `rejectAbove`?"],
  ])("says what is wrong with the options %j", async (options, message) => {
    const given = options as unknown as RiskGateOptions;
    await expect(create().register(riskGate, given)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message,
    });
  });

  it("takes a promise of a lookup", async () => {
    const app = create();
    await app.register(riskGate, { lookup: Promise.resolve(lookup) });
    app.post("/on", { config: { riskGate: true } }, () => ({}));
    expect(await post(app, "/on", "bad@shop.example")).toBe(403);
  });

  it("refuses a wrong option at start", async () => {
    const wrong = { lookup, rejectAbove: 101 };
    await expect(create().register(riskGate, wrong)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
    });
  });

  it("refuses a wrong override when the route is added", async () => {
    const app = create();
    await app.register(riskGate, { lookup });
    const add = () => app.post("/on", { config: { riskGate: { budgetMs: 0 } } }, () => ({}));
    expect(add).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it("refuses an override that it does not know, by config and by hook", async () => {
    const app = create();
    await app.register(riskGate, { lookup });
    const wrong = { rejectabove: 90 } as Partial<RiskGateOptions>;
    const unknown = expect.objectContaining({
      message: "`rejectabove`: unknown option; did you mean `rejectAbove`?",
    });
    expect(() => app.post("/on", { config: { riskGate: wrong } }, () => ({}))).toThrow(unknown);
    expect(() => app.riskGate(wrong)).toThrow(unknown);
  });
});

describe("webhookRoute", () => {
  it("takes the options of register, and refuses what neither of the two knows", async () => {
    const app = create();
    const options = { path: "/a", secrets: "s", on: { test() {} } };
    await app.register(webhookRoute, { ...options, prefix: "/hooks", logLevel: "warn" });
    expect(app.hasRoute({ method: "POST", url: "/hooks/a" })).toBe(true);
    const misspelled = { ...options, handlerTimeout: 5 };
    await expect(app.register(webhookRoute, misspelled)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: "`handlerTimeout`: unknown option; did you mean `handlerTimeoutMs`?",
    });
  });

  it("ADP-03 is registered for several paths", async () => {
    const app = create();
    const options = { secrets: "hook-secret-1", on: { test() {} } };
    await app.register(webhookRoute, { path: "/a", ...options });
    await app.register(webhookRoute, { path: "/b", ...options });
    for (const url of ["/a", "/b"]) expect(await post(app, url, "")).toBe(401);
  });

  it("is registered with a prefix", async () => {
    const app = create();
    const options = { path: "/a", secrets: "hook-secret-1", on: { test() {} } };
    await app.register(webhookRoute, { ...options, prefix: "/v1", logLevel: "warn" });
    expect(await post(app, "/v1/a", "")).toBe(401);
  });

  it("ADP-03 refuses one path twice at start", async () => {
    const app = create();
    const options = { path: "/a", secrets: "hook-secret-1", on: { test() {} } };
    await app.register(webhookRoute, options);
    await expect(app.register(webhookRoute, options)).rejects.toMatchObject({
      code: "FST_ERR_DUPLICATED_ROUTE",
    });
  });
});

describe("the log of a gate", () => {
  it("gets the pattern of the route", async () => {
    const routes: (string | undefined)[] = [];
    const log = { record: ({ route }: MadeDecision) => void routes.push(route) };
    const app = create();
    await app.register(riskGate, { lookup, log });
    app.post("/:plan/signup", { config: { riskGate: true } }, async () => "");
    await post(app, "/free/signup?x=1", "a@x.y");
    expect(routes).toEqual(["POST /:plan/signup"]);
  });
});

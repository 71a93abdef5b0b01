import { Body, Controller, Injectable, Module, Post } from "@nestjs/common";
import { type AbstractHttpAdapter, NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { Test } from "@nestjs/testing";
import type { RiskGateError } from "@riskgate/core";
import { payloads, signDelivery } from "@riskgate/testing";
import express from "express";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RiskGateWebhookModule } from "../src/index.js";
import { adapters, createApp, type StartedApp, startApp } from "./start-app.js";

const SECRET = "hook-secret-1";
const PATH = "/webhooks/security";

@Controller("echo")
class Echo {
  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

let handled: object[] = [];
const on = { test: (payload: object) => void handled.push(payload) };
const apps: StartedApp[] = [];
beforeEach(() => {
  handled = [];
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map(async ({ app }) => app.close()));
});

const { body, headers } = signDelivery([payloads.test()], SECRET);

describe.each(adapters)("RiskGateWebhookModule on %s", (_, adapter) => {
  const start = async (
    module: ReturnType<typeof RiskGateWebhookModule.forRoot>,
    options: object = {},
    on: AbstractHttpAdapter = adapter(),
  ): Promise<StartedApp> => {
    const started = await startApp(
      await createApp({ imports: [module], controllers: [Echo] }, on, options),
    );
    apps.push(started);
    return started;
  };

  it.each([
    ["no options", {}],
    ["`rawBody`", { rawBody: true }],
    ["`bodyParser: false`", { bodyParser: false }],
  ])("reads the bytes itself in an application with %s", async (_, options) => {
    const module = RiskGateWebhookModule.forRoot({ path: PATH, secrets: SECRET, on });
    const { post } = await start(module, options);
    expect((await post(PATH, body, headers)).status).toBe(204);
    expect(handled).toHaveLength(1);
  });

  it("leaves the parsers of all other routes as they are", async () => {
    const module = RiskGateWebhookModule.forRoot({ path: PATH, secrets: SECRET, on });
    const { post } = await start(module);
    expect(await (await post("/echo", { a: 1 })).json()).toEqual({ a: 1 });
  });

  it("gives handlers what is injected", async () => {
    @Injectable()
    class Incidents {
      readonly seen = handled;
    }
    @Module({ providers: [Incidents], exports: [Incidents] })
    class IncidentModule {}

    const module = RiskGateWebhookModule.forRootAsync({
      imports: [IncidentModule],
      inject: [Incidents],
      useFactory: (incidents: Incidents) => ({
        path: PATH,
        secrets: SECRET,
        on: { test: (payload) => void incidents.seen.push(payload) },
      }),
    });
    const { post } = await start(module);
    expect((await post(PATH, body, headers)).status).toBe(204);
    expect(handled).toHaveLength(1);
  });

  it.each(["webhooks/security", PATH])(
    "takes the path %s as clients see it, whatever the global prefix",
    async (path) => {
      const module = RiskGateWebhookModule.forRoot({ path, secrets: SECRET, on });
      const app = await createApp({ imports: [module] }, adapter());
      app.setGlobalPrefix("api");
      const started = await startApp(app);
      apps.push(started);
      expect((await started.post(PATH, body, headers)).status).toBe(204);
    },
  );

  it("serves several paths", async () => {
    const roots = ["/one", "/two"].map((path) =>
      RiskGateWebhookModule.forRoot({ path, secrets: `${SECRET}${path}`, on }),
    );
    const started = await startApp(await createApp({ imports: roots }, adapter()));
    apps.push(started);
    for (const path of ["/one", "/two"]) {
      const signed = signDelivery([payloads.test()], `${SECRET}${path}`);
      expect((await started.post(path, signed.body, signed.headers)).status).toBe(204);
    }
  });

  it("is there in a testing module", async () => {
    const module = RiskGateWebhookModule.forRoot({ path: PATH, secrets: SECRET, on });
    const testing = await Test.createTestingModule({ imports: [module] }).compile();
    const started = await startApp(testing.createNestApplication(adapter(), { logger: false }));
    apps.push(started);
    expect((await started.post(PATH, body, headers)).status).toBe(204);
  });

  it("answers 500 with the remedy where something has read the body", async () => {
    const errors: RiskGateError[] = [];
    const onError = (error: RiskGateError) => void errors.push(error);
    const module = RiskGateWebhookModule.forRoot({ path: PATH, secrets: SECRET, on, onError });
    const { post } = await start(module, {}, readsBodies(adapter()));
    const response = await post(PATH, body, headers);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: "RAW_BODY_UNAVAILABLE" });
    expect(errors).toMatchObject([
      { code: "RAW_BODY_UNAVAILABLE", hint: expect.stringContaining("before any body parser") },
    ]);
    expect(handled).toEqual([]);
  });

  it.each([
    ["no path", { secrets: SECRET, on }, "`path` must be"],
    ["no secret", { path: PATH, on }, "`secrets`"],
    ["an unknown option", { path: PATH, secrets: SECRET, on, maxbytes: 1 }, "`maxBytes`"],
  ])("does not start with %s", async (_, options, message) => {
    const module = RiskGateWebhookModule.forRoot(
      options as Parameters<typeof RiskGateWebhookModule.forRoot>[0],
    );
    await expect(createApp({ imports: [module] }, adapter())).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
  });
});

describe("RiskGateWebhookModule", () => {
  it("adds no route to an application without a server", async () => {
    const module = RiskGateWebhookModule.forRoot({ path: PATH, secrets: SECRET, on });
    @Module({ imports: [module] })
    class Root {}
    const context = await NestFactory.createApplicationContext(Root, { logger: false });
    await expect(context.close()).resolves.toBeUndefined();
  });
});

/** An adapter in which something reads every body before the routes, as a careless application may. */
function readsBodies(adapter: AbstractHttpAdapter): AbstractHttpAdapter {
  if (adapter instanceof ExpressAdapter) return new ExpressAdapter(express().use(express.json()));
  adapter.getInstance<FastifyInstance>().addHook("onRequest", (request, _reply, next) => {
    request.raw.resume().once("end", next);
  });
  return adapter;
}

import {
  type ArgumentsHost,
  Body,
  Catch,
  Controller,
  type ExceptionFilter,
  type ExecutionContext,
  HttpException,
  Injectable,
  Module,
  Post,
} from "@nestjs/common";
import type { Decision, RiskLookup } from "@riskgate/core";
import { createFakeLookup, createFakeService } from "@riskgate/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { requireDecision, Risk, RiskGate, RiskGateModule } from "../src/index.js";
import { platformOf } from "../src/platform-of.js";
import { adapters, createApp, type StartedApp, startApp } from "./start-app.js";

const lookup = createFakeLookup({
  "odd@shop.example": { risk_score: 70 },
  "bad@shop.example": { risk_score: 95 },
});
const odd = { email: "odd@shop.example" };
const bad = { email: "bad@shop.example" };

@Controller()
class Routes {
  @Post("signup")
  @RiskGate()
  signUp(@Body() body: object, @Risk() decision: Decision): object {
    return { outcome: decision.outcome, body };
  }

  @Post("strict")
  @RiskGate({ rejectAbove: 60 })
  strict(): string {
    return "passed";
  }

  @Post("open")
  open(@Risk() decision: Decision): Decision {
    return decision;
  }
}

@Controller("all")
@RiskGate()
class GuardedRoutes {
  @Post("one")
  one(): string {
    return "passed";
  }

  @Post("two")
  two(): string {
    return "passed";
  }
}

const apps: StartedApp[] = [];
afterEach(async () => {
  await Promise.all(apps.splice(0).map(async ({ app }) => app.close()));
});

describe.each(adapters)("RiskGateModule on %s", (_, adapter) => {
  const start = async (root: Parameters<typeof createApp>[0]): Promise<StartedApp> => {
    const started = await startApp(await createApp(root, adapter()));
    apps.push(started);
    return started;
  };

  it("gives all routes one set of options, of which a route may override some", async () => {
    const { post } = await start({
      imports: [RiskGateModule.forRoot({ lookup })],
      controllers: [Routes],
    });
    const passed = await post("/signup", odd);
    expect(passed.status).toBe(201);
    expect(await passed.json()).toEqual({ outcome: "flag", body: odd });
    expect((await post("/strict", odd)).status).toBe(403);

    const refused = await post("/signup", bad);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(await refused.json()).toMatchObject({ code: "RISK_REJECTED" });
  });

  it("guards all routes of a controller", async () => {
    const { post } = await start({
      imports: [RiskGateModule.forRoot({ lookup })],
      controllers: [GuardedRoutes],
    });
    expect((await post("/all/one", odd)).status).toBe(201);
    expect((await post("/all/two", bad)).status).toBe(403);
  });

  it("takes its options from a factory with what is injected", async () => {
    @Injectable()
    class Lookups {
      readonly lookup = lookup;
    }
    @Module({ providers: [Lookups], exports: [Lookups] })
    class LookupModule {}

    const module = RiskGateModule.forRootAsync({
      imports: [LookupModule],
      inject: [Lookups],
      useFactory: async (lookups: Lookups) => ({ lookup: lookups.lookup, rejectAbove: 60 }),
    });
    const { post } = await start({ imports: [module], controllers: [Routes] });
    expect((await post("/signup", odd)).status).toBe(403);
  });

  it("makes a client, and closes it once the server has stopped", async () => {
    const service = await createFakeService({
      answers: { "bad@shop.example": { risk_score: 95 } },
    });
    try {
      const { baseUrl, apiKey } = service;
      const { app, post } = await start({
        imports: [
          RiskGateModule.forRoot({
            client: { baseUrl, apiKey, timeoutMs: 60_000 },
            budgetMs: 60_000,
          }),
        ],
        controllers: [Routes],
      });
      expect((await post("/signup", bad)).status).toBe(403);
      expect(service.connections).toBeGreaterThan(0);
      await app.close();
      await expect.poll(() => service.connections).toBe(0);
    } finally {
      await service.close();
    }
  });

  it("does not close a lookup that it was given", async () => {
    const close = vi.fn<() => void>();
    const { app } = await start({
      imports: [RiskGateModule.forRoot({ lookup: { ...lookup, close } as RiskLookup })],
    });
    await app.close();
    expect(close).not.toHaveBeenCalled();
  });

  it("gives hooks the context of Nest", async () => {
    const seen: string[] = [];
    const module = RiskGateModule.forRoot({
      lookup,
      email: (context: ExecutionContext) =>
        context.switchToHttp().getRequest<{ body: { email?: string } }>().body.email,
      skip: (context) => context.getHandler().name === "two",
      onDecision: ({ outcome }, context) => {
        const { outcome: attached } = requireDecision(context);
        seen.push(`${context.getClass().name} ${outcome} ${attached}`);
      },
    });
    const { post } = await start({ imports: [module], controllers: [GuardedRoutes] });
    expect((await post("/all/one", odd)).status).toBe(201);
    expect((await post("/all/two", bad)).status).toBe(201);
    expect(seen).toEqual(["GuardedRoutes flag flag"]);
  });

  it("leaves an answered request to no filter of the application", async () => {
    const caught: unknown[] = [];
    @Catch()
    class Everything implements ExceptionFilter {
      catch(exception: unknown, host: ArgumentsHost): void {
        caught.push(exception);
        host.switchToHttp().getResponse<{ send(text: string): void }>().send("filtered");
      }
    }
    const app = await createApp(
      { imports: [RiskGateModule.forRoot({ lookup })], controllers: [Routes, GuardedRoutes] },
      adapter(),
    );
    app.useGlobalFilters(new Everything());
    const started = await startApp(app);
    apps.push(started);
    expect(await (await started.post("/signup", bad)).json()).toMatchObject({ status: 403 });
    expect(caught).toEqual([]);
    await started.post("/open", odd);
    expect(caught).toMatchObject([
      { code: "NOT_GATED", message: "no gate has decided about Routes.open" },
    ]);
  });

  it.each([
    ["a wrong option", { lookup, flagAbove: 90 }, "flagAbove"],
    ["no lookup", {}, "lookup"],
    ["both lookup and client", { lookup, client: { baseUrl: "http://x.example" } }, "client"],
    ["a wrong login watch", { lookup, loginWatch: {} }, "reporter"],
  ])("does not start with %s", async (_, options, name) => {
    const module = RiskGateModule.forRoot(options as Parameters<typeof RiskGateModule.forRoot>[0]);
    await expect(createApp({ imports: [module] }, adapter())).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(`\`${name}\``) as string,
    });
  });

  it("does not start with a wrong option of a route", async () => {
    @Controller()
    class Wrong {
      @Post()
      @RiskGate({ rejectAbove: 101 })
      route(): void {}
    }
    const module = RiskGateModule.forRoot({ lookup });
    const create = createApp({ imports: [module], controllers: [Wrong] }, adapter());
    await expect(create).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  it("names itself where a guarded route finds no module", async () => {
    const create = createApp({ controllers: [Routes] }, adapter());
    await expect(create).rejects.toThrow("RiskGateModule.forRoot of @riskgate/nest");
  });

  it("lets an exception of a handler pass", async () => {
    @Controller()
    class Failing {
      @Post("fail")
      @RiskGate()
      fail(): void {
        throw new HttpException("no more", 410);
      }
    }
    const { post } = await start({
      imports: [RiskGateModule.forRoot({ lookup })],
      controllers: [Failing],
    });
    expect((await post("/fail", odd)).status).toBe(410);
  });
});

describe("a guard of RiskGate", () => {
  const host = (type: string) => ({ httpAdapter: { getType: () => type } });
  const contextOf = (type: string) => ({ getType: () => type }) as ExecutionContext;

  it.each([
    ["another framework", "other", "http", "for Express or Fastify, given other"],
    ["what is no HTTP route", "express", "rpc", "only HTTP routes can be guarded, given a handler"],
  ])("refuses %s", (_, framework, type, message) => {
    const find = () =>
      platformOf(host(framework) as Parameters<typeof platformOf>[0], contextOf(type));
    expect(find).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(find).toThrow(message);
  });
});

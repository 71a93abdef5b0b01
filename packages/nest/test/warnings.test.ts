import { Controller, Post } from "@nestjs/common";
import type { AbstractHttpAdapter } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { createVelocity } from "@riskgate/core";
import { createFakeLookup } from "@riskgate/testing";
import express from "express";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp, startApp } from "./start-app.js";

const codes: (string | undefined)[] = [];
const onWarning = (warning: Error & { code?: string }) => void codes.push(warning.code);
beforeEach(() => void process.on("warning", onWarning));
afterEach(() => void process.off("warning", onWarning));

/** Serve two requests with fresh modules: every warning is given once in a process. */
async function codesOf(adapter: AbstractHttpAdapter, options: object = {}, isWatched = false) {
  codes.length = 0;
  vi.resetModules();
  const { LoginWatch, RiskGate, RiskGateModule } = await import("../src/index.js");
  @Controller()
  class Routes {
    @Post("on")
    @(isWatched
      ? LoginWatch({ velocity: createVelocity({ counts: "failed_logins" }) })
      : RiskGate())
    on(): void {}
  }
  const module = RiskGateModule.forRoot({ lookup: createFakeLookup(), ...options });
  const { app, post } = await startApp(
    await createApp({ imports: [module], controllers: [Routes] }, adapter),
  );
  try {
    expect((await post("/on")).status).toBe(201);
    expect((await post("/on")).status).toBe(201);
    return codes.splice(0);
  } finally {
    await app.close();
  }
}

const onExpress = (trust: unknown) => new ExpressAdapter(express().set("trust proxy", trust));
const onFastify = (trustProxy?: boolean | number | string) =>
  new FastifyAdapter({ ...(trustProxy !== undefined && { trustProxy }) });

describe("warnings of RiskGate", () => {
  it.each<[string, () => AbstractHttpAdapter, readonly string[]]>([
    ["trust proxy set to true", () => onExpress(true), ["RISKGATE_UNSAFE_TRUST"]],
    ["trust proxy set to a count", () => onExpress(1), []],
    ["trustProxy set to true", () => onFastify(true), ["RISKGATE_UNSAFE_TRUST"]],
    ["trustProxy set to a list", () => onFastify("10.0.0.0/8"), []],
    ["trustProxy set to a count, in Fastify 5.11", () => onFastify(1), []],
    ["trustProxy left alone", () => onFastify(), []],
  ])("tell once of %s", async (_, adapter, expected) => {
    expect(await codesOf(adapter())).toEqual(expected);
  });

  it("belong to a Fastify that counts proxies", async () => {
    const fastify = onFastify(1).getInstance();
    expect(fastify.version).toBe("5.11.3");
    fastify.get("/", ({ ip }) => ip);
    const headers = { "x-forwarded-for": "1.1.1.1, 2.2.2.2" };
    expect((await fastify.inject({ url: "/", headers })).body).toBe("2.2.2.2");
    await fastify.close();
  });

  it("tell once of it in a login watch", async () => {
    expect(await codesOf(onExpress(true), {}, true)).toEqual(["RISKGATE_UNSAFE_TRUST"]);
    expect(await codesOf(onFastify(true), {}, true)).toEqual(["RISKGATE_UNSAFE_TRUST"]);
  });

  it("do not tell of a setting that trustedProxies replaces", async () => {
    expect(await codesOf(onExpress(true), { trustedProxies: ["127.0.0.1"] })).toEqual([]);
  });
});

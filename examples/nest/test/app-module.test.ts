import type { AddressInfo } from "node:net";
import { type AbstractHttpAdapter, NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";
import { payloads, signDelivery } from "@riskgate/testing";
import express from "express";
import { describe, expect, it } from "vitest";
import { AppModule } from "../src/app-module.js";

const SECRET = "hook-secret-1";
const LIMIT = 5 * 1024 ** 2;

/** Sends a delivery to the application on an adapter, and returns its answer. */
async function deliver(
  adapter: AbstractHttpAdapter,
  { body, headers }: ReturnType<typeof signDelivery>,
): Promise<{ status: number; answer: unknown }> {
  const app = await NestFactory.create(AppModule.forRoot(SECRET), adapter, { logger: false });
  try {
    await app.listen(0, "127.0.0.1");
    const { port } = app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/webhooks/security`;
    const response = await fetch(url, { method: "POST", headers, body: new Uint8Array(body) });
    return { status: response.status, answer: await response.json() };
  } finally {
    await app.close();
  }
}

function fastifyThatReads(): FastifyAdapter {
  const adapter = new FastifyAdapter();
  adapter.getInstance().addHook("onRequest", (request, _reply, next) => {
    request.raw.resume().once("end", next);
  });
  return adapter;
}

describe("examples/nest", () => {
  it.each<[string, () => AbstractHttpAdapter]>([
    ["Express", () => new ExpressAdapter()],
    ["Fastify", () => new FastifyAdapter()],
  ])("refuses a webhook that is too large, on %s", async (_, adapter) => {
    const large = signDelivery([payloads.test({ note: "x".repeat(LIMIT) })], SECRET);
    expect(await deliver(adapter(), large)).toMatchObject({
      status: 413,
      answer: { code: "BODY_TOO_LARGE" },
    });
  });

  it("explains what to do if something has read the body", async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error) => void warnings.push(message);
    process.on("warning", onWarning);
    try {
      for (const adapter of [
        new ExpressAdapter(express().use(express.json())),
        fastifyThatReads(),
      ]) {
        expect(await deliver(adapter, signDelivery([payloads.test()], SECRET))).toMatchObject({
          status: 500,
          answer: { code: "RAW_BODY_UNAVAILABLE" },
        });
      }
    } finally {
      process.off("warning", onWarning);
    }
    const remedy = "Mount the webhook route before any body parser";
    expect(warnings).toEqual([expect.stringContaining(remedy)]);
  });
});

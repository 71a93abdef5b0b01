import type { AddressInfo } from "node:net";
import { type INestApplication, Module, type ModuleMetadata } from "@nestjs/common";
import { type AbstractHttpAdapter, NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";

/** The adapters that Nest has, by the name of their framework. */
export const adapters: readonly (readonly [string, () => AbstractHttpAdapter])[] = [
  ["Express", () => new ExpressAdapter()],
  ["Fastify", () => new FastifyAdapter()],
];

/** An application that listens, and what is asked of it. */
export interface StartedApp {
  readonly app: INestApplication;
  /** Post JSON to a path. */
  readonly post: (
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>;
}

/** Create an application without log; what is wrong with it rejects. */
export async function createApp(
  root: ModuleMetadata,
  adapter: AbstractHttpAdapter,
  options: object = {},
): Promise<INestApplication> {
  @Module(root)
  class Root {}
  const quiet = { logger: false as const, abortOnError: false, forceCloseConnections: true };
  return NestFactory.create(Root, adapter, { ...quiet, ...options });
}

/** Let an application listen on a free port. */
export async function startApp(app: INestApplication): Promise<StartedApp> {
  await app.listen(0, "127.0.0.1");
  const { port } = app.getHttpServer().address() as AddressInfo;
  return {
    app,
    post: (path, body = {}, headers = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
      }),
  };
}

import type { AddressInfo } from "node:net";
import formbody from "@fastify/formbody";
import fastify, { type FastifyInstance } from "fastify";
import {
  BODY_READERS,
  bodyReadings,
  readWith,
  sendToPort,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

/** Parsers of an application: the usual ones, and one that leaves text or bytes to the handler. */
const UNPARSED = ["string", "buffer"] as const;

function addRoutes(scope: FastifyInstance, parser: string): void {
  for (const path of ["open", "gated"]) {
    const config = { riskGate: path === "gated" };
    scope.post(`/${path}/${parser}/:reader`, { config }, async ({ url, body }) => ({
      email: await readWith(BODY_READERS, url, body),
    }));
  }
}

bodyReadings("in Fastify", {
  handlers: [
    "usual/request.body",
    ...UNPARSED.flatMap((parser) => [
      `${parser}/JSON.parse`,
      `${parser}/URLSearchParams`,
      `${parser}/querystring`,
    ]),
  ],
  least: 170,
  async start(gate) {
    const app = fastify();
    await app.register(riskGate, gate);
    await app.register(async (scope) => {
      await scope.register(formbody);
      addRoutes(scope, "usual");
    });
    for (const parseAs of UNPARSED) {
      await app.register(async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser("*", { parseAs }, (_request, text, done) => done(null, text));
        addRoutes(scope, parseAs);
      });
    }
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as AddressInfo;
    return { send: sendToPort(port), close: () => app.close() };
  },
});

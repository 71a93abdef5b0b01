import type { AddressInfo } from "node:net";
import { Body, Controller, Param, Post } from "@nestjs/common";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import {
  BODY_READERS,
  bodyReadings,
  readWith,
  sendToPort,
} from "../../../tools/test/body-table.js";
import { RiskGate, RiskGateModule } from "../src/index.js";
import { adapters, createApp } from "./start-app.js";

@Controller()
class Handlers {
  @Post("open/:reader")
  async open(@Param("reader") reader: string, @Body() body: unknown): Promise<object> {
    return { email: await readWith(BODY_READERS, reader, body) };
  }

  @Post("gated/:reader")
  @RiskGate()
  async gated(@Param("reader") reader: string, @Body() body: unknown): Promise<object> {
    return this.open(reader, body);
  }
}

/** Leaves text to the handler, whatever its type. */
const TEXT: Readonly<Record<string, (app: never) => unknown>> = {
  Express: (app: NestExpressApplication) => app.useBodyParser("text", { type: () => true }),
  Fastify: (app: NestFastifyApplication) =>
    app.useBodyParser("*", {}, (_request, text, done) => done(null, text)),
};

for (const [name, adapter] of adapters) {
  for (const [parser, handlers, least] of [
    ["usual parsers", ["request.body"], 8],
    ["a parser of text", ["JSON.parse", "URLSearchParams", "querystring"], 70],
  ] as const) {
    bodyReadings(`in Nest on ${name} with ${parser}`, {
      handlers,
      least,
      async start(gate) {
        const root = { imports: [RiskGateModule.forRoot(gate)], controllers: [Handlers] };
        const isUsual = parser === "usual parsers";
        const app = await createApp(root, adapter(), { bodyParser: isUsual });
        if (!isUsual) TEXT[name]?.(app as never);
        await app.listen(0, "127.0.0.1");
        const { port } = app.getHttpServer().address() as AddressInfo;
        return { send: sendToPort(port), close: () => app.close() };
      },
    });
  }
}

import { bodyParser } from "@koa/bodyparser";
import { serveHttp } from "@riskgate/testing";
import Koa from "koa";
import {
  BODY_READERS,
  bodyReadings,
  readWith,
  sendToPort,
} from "../../../tools/test/body-table.js";
import { riskGate } from "../src/index.js";

bodyReadings("in Koa", {
  handlers: Object.keys(BODY_READERS),
  least: 60,
  async start(options) {
    const app = new Koa();
    app.silent = true;
    app.use(bodyParser({ enableTypes: ["json", "form", "text"], extendTypes: { text: ["*/*"] } }));
    const gate = riskGate(options);
    app.use((context, next) => (context.path.startsWith("/gated") ? gate(context, next) : next()));
    app.use(async (context) => {
      const { body } = context.request as { body?: unknown };
      context.body = { email: await readWith(BODY_READERS, context.path, body) };
    });
    const { port, close } = await serveHttp(app.callback(), "127.0.0.1");
    return { send: sendToPort(port), close };
  },
});

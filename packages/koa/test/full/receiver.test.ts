import { receiverContract, serveHttp } from "@riskgate/testing";
import Koa from "koa";
import { describeReceiver, PATH } from "../../../../tools/test/receiver-conformance.js";
import { webhookRoute } from "../../src/webhook-route.js";

describeReceiver("webhookRoute of Koa", receiverContract, async (options) => {
  const route = webhookRoute(options);
  const app = new Koa().use((context, next) =>
    context.path === PATH ? route(context, next) : next(),
  );
  return serveHttp(app.callback());
});

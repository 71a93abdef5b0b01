import type { AddressInfo } from "node:net";
import { receiverContract } from "@riskgate/testing";
import { fastify } from "fastify";
import { describeReceiver, PATH } from "../../../../tools/test/receiver-conformance.js";
import { webhookRoute } from "../../src/webhook-route.js";

describeReceiver("webhookRoute of Fastify", receiverContract, async (options) => {
  const app = fastify();
  await app.register(webhookRoute, { path: PATH, ...options });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  return { port, close: async () => app.close() };
});

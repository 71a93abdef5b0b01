// A webhook in a process of its own, whose memory nothing else uses. It runs on the compiled package.
import { createServer } from "node:http";
import { createWebhookEndpoint } from "@riskgate/core/adapter";

const endpoint = createWebhookEndpoint({
  secrets: "hook-secret-1",
  on: { test() {} },
  onError() {},
  ...JSON.parse(process.argv[2] ?? "{}"),
});
const server = createServer((request, response) => {
  void endpoint.answer(request).then(({ status, headers, body }) => {
    response.writeHead(status, headers).end(body);
  });
});

/** Most memory since the last question, in bytes. */
let peak = 0;
const sample = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
setInterval(sample, 20);

process.on("message", () => {
  globalThis.gc?.();
  sample();
  process.send?.({ peak });
  peak = 0;
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.send?.({ port });
});

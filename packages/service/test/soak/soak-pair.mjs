// Two dispatchers on one queue: is each delivery sent exactly once, and how fast?
// By hand: node packages/service/test/soak/soak-pair.mjs [deliveries]
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleSources } from "../../../../tools/test/bundle-sources.mjs";

/** @type {typeof import("../../src/storage/open-storage.js") & typeof import("../../src/dispatch/dispatcher.js")} */
const { openStorage, createDispatcher } = await import(
  await bundleSources("service", "storage/open-storage.ts", "dispatch/dispatcher.ts")
);

const APPLICATIONS = 10;
const deliveries = Number(process.argv[2] ?? 10_000);

const dataDir = await mkdtemp(join(tmpdir(), "riskgate-pair-"));
const storage = await openStorage(dataDir);
/** @type {Map<string, number>} */
const arrived = new Map();
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += String(chunk)));
  request.on("end", () => {
    arrived.set(body, (arrived.get(body) ?? 0) + 1);
    response.end();
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
const address = server.address();
const webhookUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;

for (let made = 0; made < APPLICATIONS; made++) {
  const { id } = await storage.applications.create({
    name: `Shop ${made}`,
    webhookUrl,
    allowedDestinations: ["127.0.0.0/8"],
  });
  await storage.applications.rotateSecret(id);
  const bodies = Array.from({ length: deliveries / APPLICATIONS }, (_, index) => ({
    body: Buffer.from(`["${made}:${index}"]`),
    seqs: [],
  }));
  await storage.deliveries.create(id, bodies);
}

const startMs = performance.now();
const dispatchers = [createDispatcher({ storage }), createDispatcher({ storage })];
while ((await storage.deliveries.counts()).pending > 0) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
const seconds = (performance.now() - startMs) / 1000;
await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));
await storage.close();
await new Promise((resolve) => server.close(resolve));
await rm(dataDir, { recursive: true });

const repeated = [...arrived.values()].filter((count) => count > 1).length;
const figures = {
  deliveries,
  arrived: arrived.size,
  repeated,
  seconds: Math.round(seconds),
  perSecond: Math.round(deliveries / seconds),
};
process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`);
process.exitCode = arrived.size === deliveries && repeated === 0 ? 0 : 1;

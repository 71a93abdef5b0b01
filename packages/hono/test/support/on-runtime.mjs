// Run by `tools/test/full/runtimes.test.ts` on each runtime, with the packages as they are installed: an
// application of Hono on the runtime's own server. Prints what came of each request.
import { createServer } from "node:http";
import { createRiskClient, sign } from "@riskgate/web";
import { requireDecision, riskGate, webhookRoute } from "@riskgate/hono";
import { Hono } from "hono";

const SCORES = { bad: 95, watched: 60 };
const service = createServer((request, response) => {
  const [, score = 5] = Object.entries(SCORES).find(([name]) => request.url?.includes(name)) ?? [];
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ risk_score: score }));
});
await new Promise((resolve) => service.listen(0, "127.0.0.1", () => resolve(undefined)));
const address = service.address();
const servicePort = typeof address === "object" && address ? address.port : 0;
const baseUrl = `http://127.0.0.1:${servicePort}`;
const lookup = createRiskClient({ baseUrl, apiKey: "key-1", timeoutMs: 20_000 });

const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";
const conninfo = runtime === "node" ? "@hono/node-server/conninfo" : `hono/${runtime}`;
const { getConnInfo } = await import(conninfo);

const secrets = "hook-secret-1";
const hook = { secrets, on: { test() {} }, seen: /** @type {false} */ (false), onError() {} };
const app = new Hono();
const gate = riskGate({
  lookup,
  lookupPrivateIps: true,
  budgetMs: 20_000,
  clientAddress: (context) => getConnInfo(context).remote.address,
});
app.post("/signup", gate, (context) => {
  const { outcome, ip } = requireDecision(context);
  return context.json({ outcome, ip: ip.state }, 201);
});
app.post("/hook", webhookRoute({ ...hook, maxBytes: 1000 }));
app.use("/read/*", async (context, next) => {
  await context.req.text();
  await next();
});
app.post("/read/hook", webhookRoute(hook));

const { url, close } = await serve();

/** The runtime's own server. */
async function serve() {
  const { Bun, Deno } = /** @type {any} */ (globalThis);
  const at = { port: 0, hostname: "127.0.0.1" };
  if (runtime === "bun") {
    const server = Bun.serve({ ...at, fetch: app.fetch });
    return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) };
  }
  if (runtime === "deno") {
    const server = Deno.serve({ ...at, onListen() {} }, app.fetch);
    return { url: `http://127.0.0.1:${server.addr.port}`, close: () => server.shutdown() };
  }
  const { serve: listen } = await import("@hono/node-server");
  return new Promise((resolve) => {
    const server = listen({ ...at, fetch: app.fetch }, ({ port }) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => server.close() }),
    );
  });
}

/** @param {string} path @param {string} body @param {string} [signature] */
const post = async (path, body, signature) => {
  const headers = {
    "content-type": "application/json",
    ...(signature && { "x-service-integrity": signature }),
  };
  const response = await fetch(`${url}${path}`, { method: "POST", headers, body });
  const text = await response.text();
  return response.status === 201 ? JSON.parse(text) : response.status;
};
/** @param {string} name */
const signUp = (name) => post("/signup", JSON.stringify({ email: `${name}@shop.example` }));
const body = '[{"service_payload_type":"test","id":"1"}]';
const large = `[${" ".repeat(1000)}]`;
const results = {
  passed: await signUp("ada"),
  flagged: await signUp("watched"),
  rejected: await signUp("bad"),
  signed: await post("/hook", body, sign(body, secrets)),
  forged: await post("/hook", body, "0".repeat(64)),
  large: await post("/hook", large, sign(large, secrets)),
  consumed: await post("/read/hook", body, sign(body, secrets)),
};
await close();
await lookup.close();
service.close();
service.closeAllConnections();
process.stdout.write(`${JSON.stringify(results)}\n`, () => process.exit());

// Run by `tools/test/full/runtimes.test.ts` on each runtime, with the packages as they are installed:
// client, gate, receiver and webhook once each. Prints what came of them.
import { createServer } from "node:http";
import * as core from "@riskgate/core";
import { riskGate, webhookRoute } from "@riskgate/web";

const service = createServer((request, response) => {
  const risk = request.url?.includes("bad") ? 95 : 5;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ risk_score: risk, key: request.headers["x-api-key"] === "key-1" }));
});
await new Promise((resolve) => service.listen(0, "127.0.0.1", () => resolve(undefined)));
const address = service.address();
const port = typeof address === "object" && address ? address.port : 0;
const baseUrl = `http://127.0.0.1:${port}`;
const lookup = core.createRiskClient({ baseUrl, apiKey: "key-1", timeoutMs: 20_000 });

const secrets = "hook-secret-1";
const body = '[{"service_payload_type":"test","id":"1"}]';
const signature = core.sign(body, secrets);
let handled = 0;
const on = { test: () => void handled++ };
const receiver = core.createReceiver({ secrets, on });
const guard = riskGate({ lookup, budgetMs: 20_000 });
const receive = webhookRoute({ secrets, on, seen: false, maxBytes: 1000, onError() {} });

/** @param {string} email */
const signUp = async (email) => {
  const request = new Request("http://app.example/signup", { method: "POST" });
  const passed = await guard(request, { remoteAddress: "203.0.113.7", body: { email } });
  return passed instanceof Response ? passed.status : passed?.outcome;
};
/** @param {string} text */
const deliver = (text, digest = core.sign(text, secrets)) =>
  new Request("http://app.example/hook", {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-integrity": digest },
    body: text,
  });
const read = deliver(body);
await read.text();

const gate = core.createGate({ lookup, budgetMs: 20_000 });
const { risk_score: score, ...more } = await lookup.lookupIp("192.0.2.1");
const results = {
  score,
  key: "key" in more && more.key,
  decided: (await gate.decide({ email: "bad@shop.example" })).outcome,
  good: await signUp("ada@shop.example"),
  bad: await signUp("bad@shop.example"),
  received: (await receiver.receive({ body, signature })).status,
  again: (await receiver.receive({ body, signature })).duplicates,
  signed: (await receive(deliver(body))).status,
  forged: (await receive(deliver(body, "0".repeat(64)))).status,
  large: (await receive(deliver(" ".repeat(1001)))).status,
  consumed: (await receive(read)).status,
  handled,
};
await lookup.close();
service.close();
service.closeAllConnections();
process.stdout.write(`${JSON.stringify(results)}\n`);

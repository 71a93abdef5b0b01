import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runNode } from "../../../tools/test/run-node.js";

const PROGRAM = `
const { Hono } = require("hono");
const { requireDecision, riskGate } = require("@riskgate/hono");
const lookup = { lookupIp: async () => ({ risk_score: 50 }), lookupEmail: async () => ({}) };
const app = new Hono();
const gate = riskGate({ lookup, clientAddress: () => "8.8.8.8" });
app.post("/people/:id", gate, (c) => c.text(requireDecision(c).outcome));
app.post("/open", (c) => c.text(requireDecision(c).outcome));
app.onError((error, c) => c.text(error.message));
const ask = async (path) => (await app.request(path, { method: "POST" })).text();
Promise.all([ask("/people/7"), ask("/open")]).then((texts) => console.log(texts.join("\\n")));
`;

it("decides in an application in CommonJS, which has its own copy of Hono", async () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const { stdout, stderr } = await runNode(["--input-type=commonjs", "--eval", PROGRAM], folder);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^flag\n.*POST \/open/);
});

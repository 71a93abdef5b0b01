// A sign-up route guarded by the embedded engine, and a signed webhook that closes the loop.
import { createEngine } from "@riskgate/engine";
import { createBlockList, requireDecision, riskGate, webhookRoute } from "@riskgate/fastify";
import Fastify from "fastify";

const secret = process.env["RISKGATE_SIGNING_SECRET"];
if (!secret) throw new Error("Set RISKGATE_SIGNING_SECRET to the secret of the application");

// What others wrote must not forge a line of the log or control the terminal that shows it.
const shown = (text: string | undefined): string =>
  JSON.stringify(text ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => encodeURI(character));

// To ask a service instead: createRiskClient({ baseUrl, apiKey }).
const lookup = await createEngine();
const blockList = createBlockList();
const app = Fastify();

await app.register(riskGate, { lookup, blockList });
app.post("/signup", { config: { riskGate: true } }, (request, reply) =>
  reply.code(201).send({ created: true, watched: requireDecision(request).outcome === "flag" }),
);

await app.register(webhookRoute, {
  path: "/webhooks/security",
  secrets: secret,
  on: {
    security_event: (event) => console.log(`event: ${shown(event.humanized_description)}`),
    pulse: (incident) => console.log(`incident: ${shown(incident.humanized_title)}`),
    security_response: (response) => blockList.apply(response),
    test: () => console.log("test payload received"),
  },
});

const url = await app.listen({ port: Number(process.env["PORT"] ?? 3000), host: "127.0.0.1" });
console.log(`listening on ${url}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void app.close());

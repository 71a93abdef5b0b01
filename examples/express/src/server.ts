// A sign-up route guarded by the embedded engine, and a signed webhook that closes the loop.
import { createEngine } from "@riskgate/engine";
import { createBlockList, requireDecision, riskGate, webhookRoute } from "@riskgate/express";
import express from "express";

const secret = process.env["RISKGATE_SIGNING_SECRET"];
if (!secret) throw new Error("Set RISKGATE_SIGNING_SECRET to the secret of the application");

// What others wrote must not forge a line of the log or control the terminal that shows it.
const shown = (text: string | undefined): string =>
  JSON.stringify(text ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => encodeURI(character));

// To ask a service instead: createRiskClient({ baseUrl, apiKey }).
const lookup = await createEngine();
const blockList = createBlockList();
const app = express();

app.post("/signup", express.json(), riskGate({ lookup, blockList }), (request, response) => {
  response
    .status(201)
    .json({ created: true, watched: requireDecision(request).outcome === "flag" });
});

app.post(
  "/webhooks/security",
  webhookRoute({
    secrets: secret,
    on: {
      security_event: (event) => console.log(`event: ${shown(event.humanized_description)}`),
      pulse: (incident) => console.log(`incident: ${shown(incident.humanized_title)}`),
      security_response: (response) => blockList.apply(response),
      test: () => console.log("test payload received"),
    },
  }),
);

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === "object" && address?.port}`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.close());

// A sign-up route guarded by the embedded engine, and a signed webhook that closes the loop.
import { bodyParser } from "@koa/bodyparser";
import { Router } from "@koa/router";
import { createEngine } from "@riskgate/engine";
import { createBlockList, requireDecision, riskGate, webhookRoute } from "@riskgate/koa";
import Koa from "koa";

const secret = process.env["RISKGATE_SIGNING_SECRET"];
if (!secret) throw new Error("Set RISKGATE_SIGNING_SECRET to the secret of the application");

// What others wrote must not forge a line of the log or control the terminal that shows it.
const shown = (text: string | undefined): string =>
  JSON.stringify(text ?? "").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => encodeURI(character));

// To ask a service instead: createRiskClient({ baseUrl, apiKey }).
const lookup = await createEngine();
const blockList = createBlockList();
const router = new Router();

router.post("/signup", bodyParser(), riskGate({ lookup, blockList }), (context) => {
  context.status = 201;
  context.body = { created: true, watched: requireDecision(context).outcome === "flag" };
});

router.post(
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

const app = new Koa();
app.use(router.routes());
const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === "object" && address?.port}`);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => server.close());

// A sign-up function guarded by the embedded engine, and one that receives signed webhooks.
import { createEngine } from "@riskgate/engine";
import { createBlockList, riskGate, webhookRoute } from "@riskgate/lambda";

const secret = process.env["RISKGATE_SIGNING_SECRET"];
if (!secret) throw new Error("Set RISKGATE_SIGNING_SECRET to the secret of the application");

// Created once per instance of the function, and not per event.
const lookup = await createEngine();
const blockList = createBlockList();

/** POST /signup. */
export const signUp = riskGate({ lookup, blockList }, async (_event, _context, decision) => ({
  statusCode: 201,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ created: true, watched: decision?.outcome === "flag" }),
}));

/** POST /webhooks/security. */
export const webhook = webhookRoute({
  secrets: secret,
  on: { security_response: (response) => blockList.apply(response), test() {} },
});

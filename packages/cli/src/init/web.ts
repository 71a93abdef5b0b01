import { indent, type Template, WEBHOOK } from "./template.js";

export const webTemplate: Template = {
  usedWith: ["wrangler", "@cloudflare/workers-types"],
  layer: "platform",
  adapter: "@riskgate/web",
  imports: () => [{ names: ["riskGate", "webhookRoute"], from: "@riskgate/web" }],
  exports: ["gate", "webhook"],
  code: () => `/**
 * Resolves to the answer that refuses a request, or to the decision by which it passes. Give it the
 * address of the client as your platform has it: nothing is guessed.
 */
export const gate = riskGate({ lookup, blockList });

/** Goes before everything that reads the body: the signature is checked over the bytes received. */
export const webhook = webhookRoute({
${indent(WEBHOOK, 2)}
});
`,
  use: [
    'if (new URL(request.url).pathname === "/webhooks/security") return webhook(request);',
    "const passed = await gate(request, { body, remoteAddress });",
    "if (passed instanceof Response) return passed;",
  ],
};

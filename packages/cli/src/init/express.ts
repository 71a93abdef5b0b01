import { indent, type Template, WEBHOOK } from "./template.js";

export const expressTemplate: Template = {
  usedWith: ["express"],
  core: "@riskgate/core",
  imports: () => [{ names: ["riskGate", "webhookRoute"], from: "@riskgate/express" }],
  exports: ["gate", "webhook"],
  code: () => `/** Goes behind the body parser and before the handler. */
export const gate = riskGate({ lookup, blockList });

/** Goes before every body parser: the signature is checked over the bytes received. */
export const webhook = webhookRoute({
${indent(WEBHOOK, 2)}
});
`,
  use: [
    'app.post("/webhooks/security", webhook); // above app.use(express.json())',
    'app.post("/signup", express.json(), gate, handler);',
  ],
};

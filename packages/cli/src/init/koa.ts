import { indent, type Template, WEBHOOK } from "./template.js";

export const koaTemplate: Template = {
  usedWith: ["koa"],
  core: "@riskgate/core",
  imports: () => [{ names: ["riskGate", "webhookRoute"], from: "@riskgate/koa" }],
  exports: ["gate", "webhook"],
  code: () => `/** Goes behind the body parser and before the handler. */
export const gate = riskGate({ lookup, blockList });

/** Goes before every body parser: the signature is checked over the bytes received. */
export const webhook = webhookRoute({
${indent(WEBHOOK, 2)}
});
`,
  use: [
    'router.post("/webhooks/security", webhook); // a route of @koa/router, above app.use(bodyParser())',
    'router.post("/signup", bodyParser(), gate, handler); // with the parser of @koa/bodyparser',
  ],
};

import { indent, type Template, WEBHOOK } from "./template.js";

function middlewareTemplate(name: "express" | "koa", use: readonly string[]): Template {
  return {
    usedWith: [name],
    adapter: `@riskgate/${name}`,
    imports: () => [{ names: ["riskGate", "webhookRoute"], from: `@riskgate/${name}` }],
    exports: ["gate", "webhook"],
    code: () => `/** Goes behind the body parser and before the handler. */
export const gate = riskGate({ lookup, blockList });

/** Goes before every body parser: the signature is checked over the bytes received. */
export const webhook = webhookRoute({
${indent(WEBHOOK, 2)}
});
`,
    use,
  };
}

export const expressTemplate: Template = middlewareTemplate("express", [
  'app.post("/webhooks/security", webhook); // above app.use(express.json())',
  'app.post("/signup", express.json(), gate, handler);',
]);

export const koaTemplate: Template = middlewareTemplate("koa", [
  'router.post("/webhooks/security", webhook); // a route of @koa/router, above app.use(bodyParser())',
  'router.post("/signup", bodyParser(), gate, handler); // with the parser of @koa/bodyparser',
]);

import type { Project } from "./project.js";
import { indent, type Template, WEBHOOK } from "./template.js";

export const honoTemplate: Template = {
  usedWith: ["hono"],
  adapter: "@riskgate/hono",
  imports: (project) => [
    { names: ["riskGate", "webhookRoute"], from: "@riskgate/hono" },
    { names: ["getConnInfo"], from: connInfoOf(project) },
  ],
  exports: ["gate", "webhook"],
  code: () => `/** Goes behind a limit for bodies and before the handler. */
export const gate = riskGate({
  lookup,
  blockList,
  clientAddress: (context) => getConnInfo(context).remote.address,
});

/** Goes before everything that reads the body: the signature is checked over the bytes received. */
export const webhook = webhookRoute({
${indent(WEBHOOK, 2)}
});
`,
  use: [
    'app.post("/webhooks/security", webhook);',
    'app.post("/signup", bodyLimit({ maxSize: 65_536 }), gate, handler); // bodyLimit is from hono/body-limit',
  ],
};

/** Import of the function that returns the client's address, by platform. */
function connInfoOf({ dependencies, packageManager }: Project): string {
  if (dependencies.has("wrangler")) return "hono/cloudflare-workers";
  return packageManager === "bun" ? "hono/bun" : "@hono/node-server/conninfo";
}

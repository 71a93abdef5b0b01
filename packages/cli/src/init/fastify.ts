import { indent, type Template, WEBHOOK } from "./template.js";

export const fastifyTemplate: Template = {
  usedWith: ["fastify"],
  adapter: "@riskgate/fastify",
  imports: () => [
    { names: ["riskGate", "webhookRoute"], from: "@riskgate/fastify" },
    { names: ["FastifyInstance"], from: "fastify", types: true },
  ],
  exports: ["protect"],
  code: ({
    type,
  }) => `/** Adds the gate and the webhook; call it before the routes that it guards. */
export async function protect(app${type(": FastifyInstance")})${type(": Promise<void>")} {
  await app.register(riskGate, { lookup, blockList });
  await app.register(webhookRoute, {
    path: "/webhooks/security",
${indent(WEBHOOK, 4)}
  });
}
`,
  use: [
    "await protect(app); // in an async function, if the file is CommonJS",
    'app.post("/signup", { config: { riskGate: true } }, handler);',
  ],
};

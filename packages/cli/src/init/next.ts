import type { Project } from "./project.js";
import { indent, type Template, type Use, WEBHOOK } from "./template.js";

export const nextTemplate: Template = {
  usedWith: ["next"],
  layer: "application",
  isBundled: true,
  start: "next dev",
  adapter: "@riskgate/next",
  imports: () => [
    { names: ["riskGate", "webhookRoute"], from: "@riskgate/next" },
    { names: ["RouteHandler"], from: "@riskgate/next", types: true },
  ],
  exports: ["gate"],
  code: ({ type }) => `/** Guards a route handler, which gets the decision as its third argument. */
export const gate = ${type("<R extends Request, Context>")}(handler${type(": RouteHandler<R, Context>")}) =>
  riskGate({ lookup, blockList, clientAddress }, handler);

/**
 * Until you name the header that your proxy or platform sets over whatever a client has sent, no address is
 * known, and sign-ups are flagged: (request) => request.headers.get("x-real-ip")
 */
const clientAddress = () => null;

/** Answers the deliveries of the service. */
export const webhook = webhookRoute({
${indent(WEBHOOK, 2)}
});
`,
  uses: (project) => {
    const routes = routesOf(project);
    const webhook: Use = {
      path: `${routes}/webhooks/security/route.${project.extension}`,
      names: ["webhook"],
      code: "export const POST = webhook;\n",
    };
    const signUpRoute = `${routes}/api/signup/route`;
    const signUp: Use = {
      path: `${signUpRoute}.${project.extension}`,
      names: ["gate"],
      code: `/** The gate has read a copy of the body. */
export const POST = gate(async (request, context, decision) =>
  Response.json({ watched: decision?.outcome === "flag" }, { status: 201 }),
);
`,
    };
    // An existing sign-up route belongs to the application.
    const hasSignUp = EXTENSIONS.some((extension) => project.has(`${signUpRoute}.${extension}`));
    return hasSignUp ? [webhook] : [webhook, signUp];
  },
  use: ["export const POST = gate(async (request, context, decision) => answer);"],
};

const EXTENSIONS = ["ts", "tsx", "js", "jsx"];

/** Next.js searches `src` only if the project has no routes elsewhere. */
function routesOf({ sources, has }: Project): string {
  return sources === "." || has("app") || has("pages") ? "app" : `${sources}/app`;
}

import { indent, type Template, WEBHOOK } from "./template.js";

const TYPES = ["GatedHandler", "LambdaContext", "LambdaEvent"];

export const lambdaTemplate: Template = {
  usedWith: ["@types/aws-lambda", "aws-lambda", "serverless", "aws-cdk-lib"],
  layer: "platform",
  start: null,
  adapter: "@riskgate/lambda",
  imports: () => [
    { names: ["riskGate", "webhookRoute"], from: "@riskgate/lambda" },
    { names: TYPES, from: "@riskgate/lambda", types: true },
  ],
  exports: ["gate", "webhook"],
  code: ({ type }) => `/** Guards a handler, which gets the decision as its third argument. */
export const gate = ${type("<Event extends LambdaEvent, Context extends LambdaContext, Result>")}(
  handler${type(": GatedHandler<Event, Context, Result>")},
) => riskGate({ lookup, blockList }, handler);

/** A separate function, behind its own route. */
export const webhook = webhookRoute({
${indent(WEBHOOK, 2)}
});
`,
  use: [
    "export const signUp = gate(async (event, context, decision) => answer);",
    "export const receive = webhook;",
  ],
};

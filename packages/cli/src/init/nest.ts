import { indent, type Template, WEBHOOK } from "./template.js";

export const nestTemplate: Template = {
  usedWith: ["@nestjs/core"],
  layer: "application",
  adapter: "@riskgate/nest",
  imports: () => [{ names: ["RiskGateModule", "RiskGateWebhookModule"], from: "@riskgate/nest" }],
  exports: ["gate", "webhook"],
  code: () => `/** Gives \`@RiskGate()\` its options; goes into the imports of the root module. */
export const gate = RiskGateModule.forRoot({ lookup, blockList });

/** Goes there too. Its route is in front of Nest's body parsers: no \`rawBody\` is needed. */
export const webhook = RiskGateWebhookModule.forRoot({
  path: "/webhooks/security",
${indent(WEBHOOK, 2)}
});
`,
  use: [
    '@Post("signup") @RiskGate() signUp() {} // RiskGate is from @riskgate/nest',
    "@Module({ imports: [gate, webhook], controllers: [SignUpController] })",
  ],
};

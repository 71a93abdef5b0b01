export type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";
export { riskGate, type RiskGateOptions, type GatedHandler } from "./risk-gate.js";
export { webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";

export { requireDecision, riskGate, type RiskGateOptions } from "./risk-gate.js";
export { webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";

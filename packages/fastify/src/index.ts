export {
  requireDecision,
  riskGate,
  type RiskGateOptions,
  type RouteRiskGate,
} from "./risk-gate.js";
export { webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";

export { loginWatch, type LoginWatchOptions } from "./login-watch.js";
export {
  requireDecision,
  riskGate,
  type RiskGateOptions,
  type RouteRiskGate,
} from "./risk-gate.js";
export { webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";

export { riskGate, type RiskGateOptions, type RouteHandler } from "./risk-gate.js";
export { riskProxy, type RiskProxyOptions } from "./risk-proxy.js";
export { webhookRoute, type WebhookRouteOptions } from "@riskgate/web";

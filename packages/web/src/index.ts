export {
  createBlockList,
  createMemorySeenStore,
  createRiskClient,
  createRules,
  isRiskGateError,
  RiskGateError,
  sign,
  SIGNATURE_HEADER,
  verify,
} from "@riskgate/core/web";
export { readAnyBody } from "./any-body.js";
export { type Guard, riskGate, type RiskGateOptions } from "./risk-gate.js";
export { type WebhookRoute, webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";
export { type ClientInfo, withAddedHeaders } from "./web-visit.js";

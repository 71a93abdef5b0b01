export {
  type AttackMode,
  type BlockList,
  createAttackMode,
  createBlockList,
  createMemorySeenStore,
  createDevices,
  createReporter,
  createRiskClient,
  createRules,
  createVelocity,
  type Decision,
  type Devices,
  isRiskGateError,
  type Reporter,
  type RiskClient,
  RiskGateError,
  sign,
  SIGNATURE_HEADER,
  type Velocity,
  verify,
} from "@riskgate/core/web";
export { readAnyBody } from "./any-body.js";
export { loginWatch, type LoginWatchOptions, type WatchLogin } from "./login-watch.js";
export { type Guard, riskGate, type RiskGateOptions } from "./risk-gate.js";
export { type WebhookRoute, webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";
export { type ClientInfo, withAddedHeaders } from "./web-visit.js";

export {
  type AttackMode,
  type BlockList,
  createAttackMode,
  createBlockList,
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
} from "@riskgate/core";
export type { Velocity } from "@riskgate/core/velocity";
export { loginWatch, type LoginWatchOptions } from "./login-watch.js";
export {
  requireDecision,
  riskGate,
  type RiskGateOptions,
  type RouteRiskGate,
} from "./risk-gate.js";
export { webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";

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
  type Velocity,
} from "@riskgate/web";
export { loginWatch, type LoginWatchOptions } from "./login-watch.js";
export { riskGate, type RiskGateOptions, type RouteHandler } from "./risk-gate.js";
export { riskProxy, type RiskProxyOptions } from "./risk-proxy.js";
export { webhookRoute, type WebhookRouteOptions } from "@riskgate/web";

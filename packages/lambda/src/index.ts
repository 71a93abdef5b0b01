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
export type { LambdaContext, LambdaEvent, LambdaResult } from "./lambda-event.js";
export { loginWatch, type LoginWatchOptions } from "./login-watch.js";
export { riskGate, type RiskGateOptions, type GatedHandler } from "./risk-gate.js";
export { webhookRoute, type WebhookRouteOptions } from "./webhook-route.js";

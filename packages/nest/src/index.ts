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
export { LoginWatch } from "./login-watch.js";
export type {
  AsyncOptions,
  LoginWatchOptions,
  LookupSource,
  RiskGateModuleOptions,
  RiskGateOptions,
  RiskGateWebhookModuleOptions,
} from "./module-options.js";
export { RiskGate } from "./risk-gate.js";
export { RiskGateModule } from "./risk-gate-module.js";
export { RiskGateWebhookModule } from "./risk-gate-webhook-module.js";
export { requireDecision, Risk } from "./risk.js";

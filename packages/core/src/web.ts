/**
 * Everything that runs without Node: the entry for Web-standard runtimes and their adapters.
 *
 * @module
 */
export { callSyncHook } from "./base/call-hook.js";
export type { ErrorHook } from "./base/error-report.js";
export { limitTime, startDeadline } from "./base/time-limit.js";
export { isRiskGateError, RiskGateError } from "./base/errors.js";
export { isRefusalCode, problemReply, type Reply } from "./base/problem.js";
export { type BlockList, type BlockListOptions, createBlockList } from "./lists/block-list.js";
export { createAttackMode } from "./attack/attack-mode.js";
export type { AttackMode } from "./attack/attack-option.js";
export { createDevices } from "./device/devices.js";
export type { Devices } from "./model/devices.js";
export type { Decision } from "./model/decision.js";
export type { GatedRequest, RequestHead, ResponseState } from "./decision/gated-request.js";
export { createRules } from "./rules/create-rules.js";
export { readAnyBody } from "./decision/body-readings.js";
export { presentDecision } from "./decision/present-decision.js";
export { requestGateWith } from "./gate/request-gate.js";
export {
  readRequestGate,
  type RequestGateOptions,
  type RequestGateSettings,
} from "./gate/request-gate-options.js";
export { type OptionReader, readOptions } from "./base/options.js";
export type { Challenge } from "./challenge/challenge-step.js";
export { type RiskClient, createRiskClient } from "./lookup/client.js";
export type { Velocity } from "./model/velocity.js";
export { createVelocity } from "./velocity/velocity.js";
export { createReporter } from "./report/create-reporter.js";
export type { Reporter } from "./report/reporter.js";
export {
  type LoginWatchOptions,
  type LoginWatchSettings,
  readLoginWatch,
} from "./watch/login-watch-options.js";
export { outcomeWatchWith } from "./watch/outcome-watch.js";
export { type BodyLimitOptions, readBodyLimits } from "./webhook/body-limits.js";
export { ArrivingBody, type BodyLimits, type ReadFailure } from "./webhook/body-memory.js";
export {
  createDeliveryEndpoint,
  type DeliveryEndpoint,
  type DeliverySource,
  lengthOf,
  type WebhookOptions,
} from "./webhook/endpoint.js";
export { createMemorySeenStore } from "./webhook/seen-store.js";
export { sign, SIGNATURE_HEADER, verify } from "./webhook/signature.js";

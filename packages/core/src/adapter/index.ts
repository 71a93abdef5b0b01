// What authors of adapters, engines and stores need beside the main entry.
export { type Awaitable, isThenable } from "../base/awaitable.js";
export { makeDirectory } from "../base/make-directory.js";
export { type Bounds, type OptionReader, readOptions } from "../base/options.js";
export type { RefusalCode, Reply } from "../base/problem.js";
export type { GatedRequest } from "../gate/gated-request.js";
export { presentDecision } from "../gate/present-decision.js";
export {
  createRequestGate,
  type RequestGate,
  type RequestGateOptions,
} from "../gate/request-gate.js";
export { createErrorReport, type ErrorHook } from "../base/error-report.js";
export { nextStep, splitDelivery } from "../webhook/inbox-step.js";
export { parseRetryAfter } from "../lookup/retry-after.js";
export {
  createWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookOptions,
} from "../webhook/endpoint.js";
export { testPayload, type TestSender } from "../webhook/test-payload.js";

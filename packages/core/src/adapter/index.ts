/**
 * What authors of adapters, engines and stores need beside the main entry.
 *
 * @module
 */
export { type Awaitable, isThenable } from "../base/awaitable.js";
export { Health, type HealthSettings, within } from "../base/health.js";
export { makeDirectory, makePrivateDirectory } from "../base/make-directory.js";
export { makePrivate } from "../base/make-private.js";
export { replaceFile } from "../base/replace-file.js";
export { type Bounds, nearest, type OptionReader, readOptions } from "../base/options.js";
export { checkRules, type CheckedRules, type RuleVocabulary } from "../rules/rule-check.js";
export { checkRuleText, jsonProblem } from "../rules/rule-text.js";
export { describeProblem, type RuleProblem } from "../rules/rule-problem.js";
export { compileRules, type OperatorRules } from "../rules/rule-set.js";
export { type OperatorRule, RULE_FLAGS } from "../rules/rule.js";
export type { RefusalCode, Reply } from "../base/problem.js";
export type { GatedRequest, RequestHead, ResponseState } from "../gate/gated-request.js";
export { presentDecision } from "../gate/present-decision.js";
export { createRequestGate, type RequestGate } from "../gate/request-gate.js";
export type { RequestGateOptions } from "../gate/request-gate-options.js";
export { createErrorReport, type ErrorHook } from "../base/error-report.js";
export { nextStep, splitDelivery } from "../webhook/inbox-step.js";
export { createQueuedLog, type QueuedDecisionLog, type RecordSink } from "../log/queued-log.js";
export { type QueuedLogSettings, readQueuedLog } from "../log/log-options.js";
export { isDecisionRecord, parseDecisionRecord } from "../log/read-record.js";
export { type ByOutcome, OutcomeCounts } from "../log/outcome-counts.js";
export { signalsOf } from "../log/record-signals.js";
export { createRejudge, type Rejudge, type RejudgeOptions } from "../log/rejudge.js";
export { createDropNotice, type DropHook, type DropNotice } from "../report/drop-notice.js";
export {
  type CheckedEvent,
  type CheckedLogin,
  checkCount,
  checkEvent,
  checkLogin,
} from "../report/report.js";
export { parseRetryAfter } from "../lookup/retry-after.js";
export type { WebhookOptions } from "../webhook/endpoint.js";
export { createWebhookEndpoint, type WebhookEndpoint } from "../webhook/node-endpoint.js";
export {
  createLoginWatch,
  type LoginWatch,
  type LoginWatchOptions,
  type WatchedRequest,
} from "../watch/login-watch.js";
export { createSemaphore, type Semaphore } from "../lookup/semaphore.js";
export { testPayload, type TestSender } from "../webhook/test-payload.js";

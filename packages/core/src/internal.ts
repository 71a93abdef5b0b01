/**
 * Shared by the packages in this repository. Not covered by semver: any release may change it.
 * @module
 */
export { isThenable } from "./model/awaitable.js";
export { type ErrorHook, createErrorReport } from "./base/error-report.js";
export { GuardedServer, type GuardedServerSettings } from "./base/guarded-server.js";
export { makeDirectory, makePrivateDirectory } from "./base/make-directory.js";
export { makePrivate } from "./base/make-private.js";
export { NO_FOLLOW, openToAppend } from "./base/no-follow.js";
export { type Bounds, nearest } from "./base/options.js";
export { parseShallowJson, refuseDeep, TOO_DEEP } from "./base/shallow-json.js";
export { callSyncHook, hookError } from "./base/call-hook.js";
export { limitTime, startDeadline } from "./base/time-limit.js";
export { replaceFile } from "./base/replace-file.js";
export type { Failed, Skipped } from "./model/decision.js";
export { DEVICE_STANDINGS } from "./model/devices.js";
export { readDigest } from "./log/identity-digest.js";
export { type QueuedLogSettings, readQueuedLog } from "./log/log-options.js";
export { BoundedGroups } from "./log/bounded-groups.js";
export { LabelledDecisions, type LabelledResult } from "./log/labelled-decisions.js";
export type { Label, ThresholdPoint } from "./log/threshold-curve.js";
export { type ByOutcome, OutcomeCounts } from "./log/outcome-counts.js";
export { type RecordSink, createQueuedLog } from "./log/queued-log.js";
export { isDecisionRecord, parseDecisionRecord } from "./log/read-record.js";
export { signalsOf } from "./log/record-signals.js";
export {
  type GivenThresholds,
  type Rejudge,
  type RejudgeOptions,
  createRejudge,
  rehearsedThresholds,
} from "./gate/rejudge.js";
export type { Source } from "./model/assessment.js";
export { withoutBlanks } from "./model/vocabulary.js";
export type { BreakerOptions, CacheOptions } from "./lookup/client-options.js";
export { warn } from "./base/warning.js";
export { parseRetryAfter } from "./lookup/retry-after.js";
export { createSemaphore } from "./lookup/semaphore.js";
export { type DropHook, type DropNotice, createDropNotice } from "./outgoing/drop-notice.js";
export {
  type CheckedEvent,
  type CheckedLogin,
  checkCount,
  checkEvent,
  checkLabel,
  checkLogin,
} from "./report/report.js";
export type { ReporterStats } from "./report/reporter.js";
export { type CheckedRules, checkRules } from "./rules/rule-check.js";
export type { RuleVocabulary } from "./rules/rule-vocabulary.js";
export { type RuleProblem, describeProblem } from "./rules/rule-problem.js";
export { type OperatorRules, compileRules } from "./rules/rule-set.js";
export { checkRuleText, jsonProblem } from "./rules/rule-text.js";
export { type OperatorRule, RULE_FLAGS } from "./rules/rule.js";
export { signStandard } from "./webhook/standard-signature.js";
export { type TestSender, testPayload } from "./webhook/test-payload.js";
export { isForwardingDomain } from "./address/forwarding-services.js";
export { isLargeProvider } from "./velocity/large-providers.js";
export { DEFAULT_THRESHOLDS, outcomeOf, type ScoreThresholds } from "./model/risk-thresholds.js";
export { ExpressExchange, type ExpressRequest, sendExpressReply } from "./gate/express-exchange.js";
export {
  FastifyExchange,
  type FastifyReply,
  type FastifyRequest,
  sendFastifyReply,
} from "./gate/fastify-exchange.js";

/**
 * The decision log: records of decisions without personal data, and the stores for them.
 *
 * @module
 */
export type { DecisionMessage } from "./decision/decision-channel.js";
export type { DecisionLog, MadeDecision } from "./log/log-step.js";
export { type DecisionLogOptions, createDecisionLog } from "./log/create-decision-log.js";
export type { DecisionRecord, RecordedEvidence } from "./log/decision-record.js";
export { type IdentityDigest, createIdentityDigest } from "./log/identity-digest.js";
export type { DroppedDecisions, QueuedLogOptions } from "./log/log-options.js";
export type { DecisionLogStats, QueuedDecisionLog } from "./log/queued-log.js";
export { type ServiceDecisionLogOptions, createServiceDecisionLog } from "./log/service-log.js";

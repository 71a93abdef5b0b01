export type {
  Assessment,
  EmailAssessment,
  IpAssessment,
  IpGeo,
  Scored,
  Source,
} from "./lookup/assessment.js";
export { type BlockList, type BlockListOptions, createBlockList } from "./gate/block-list.js";
export type { ChallengeOptions } from "./challenge/challenge-options.js";
export type { SingleUseStore } from "./challenge/single-use.js";
export type { Challenge } from "./gate/step-up.js";
export type { CacheStore } from "./lookup/cache-store.js";
export { createRiskClient, type RiskClient } from "./lookup/client.js";
export type { BreakerOptions, CacheOptions, RiskClientOptions } from "./lookup/client-options.js";
export {
  type Decision,
  type Evidence,
  type EvidencePair,
  type Failed,
  type Fault,
  type Outcome,
  OUTCOMES,
  type Skipped,
} from "./gate/decision.js";
export type { Awaitable } from "./base/awaitable.js";
export type { DecisionLog, MadeDecision } from "./gate/decision-log.js";
export { createDecisionLog, type DecisionLogOptions } from "./log/create-decision-log.js";
export { createServiceDecisionLog, type ServiceDecisionLogOptions } from "./log/service-log.js";
export type { DecisionRecord, RecordedEvidence } from "./log/decision-record.js";
export type { DecisionLogStats, QueuedDecisionLog } from "./log/queued-log.js";
export type { DroppedDecisions, QueuedLogOptions } from "./log/log-options.js";
export { createIdentityDigest, type IdentityDigest } from "./log/identity-digest.js";
export { createReporter } from "./report/create-reporter.js";
export type { DroppedReports } from "./report/drop-notice.js";
export type { Counter, EventReport, LoginReport } from "./report/report.js";
export type { Reporter, ReporterStats } from "./report/reporter.js";
export type { ReporterOptions } from "./report/reporter-options.js";
export type { DecisionMessage } from "./gate/decision-channel.js";
export type { LookupMessage } from "./lookup/lookup-channel.js";
export type { DeliveryMessage } from "./webhook/delivery-channel.js";
export {
  type ErrorCode,
  type ErrorDetails,
  isRiskGateError,
  RiskGateError,
} from "./base/errors.js";
export { createRules, type Rule, type RulesInput, type RuleSet } from "./gate/operator-rules.js";
export { openRules, type RuleFile } from "./gate/open-rules.js";
export type { FlagConditions, RuleConditions, RuleFlag } from "./rules/rule.js";
export type { RuleFacts } from "./rules/rule-facts.js";
export type { RuleFileOptions } from "./rules/rule-file.js";
export {
  createGate,
  type DecideOptions,
  type Facts,
  type Gate,
  type GateOptions,
} from "./gate/gate.js";
export type {
  AcceptedDelivery,
  DurableInbox,
  Inbox,
  InboxCounts,
  ParkedDelivery,
} from "./webhook/inbox.js";
export type { LookupOptions, RiskLookup } from "./lookup/lookup.js";
export type {
  Delivery,
  DeliveryElement,
  IgnoredElement,
  IgnoredReason,
} from "./webhook/delivery.js";
export { parseDelivery, type ParseOptions } from "./webhook/parse-delivery.js";
export {
  type AccountKey,
  coordinatesOf,
  type EventGeo,
  type EventIp,
  type Incident,
  type OpenMembers,
  type Payload,
  type SecurityEvent,
  type SecurityResponse,
  type TestPayload,
} from "./webhook/payload.js";
export type { FailedPayload, Receipt } from "./webhook/receipt.js";
export {
  createReceiver,
  type ReceivedDelivery,
  type Receiver,
  type ReceiverOptions,
} from "./webhook/receiver.js";
export {
  createMemorySeenStore,
  type MemorySeenStoreOptions,
  type Reservation,
  type SeenStore,
} from "./webhook/seen-store.js";
export {
  type NamedSecret,
  type Secrets,
  type SecretValue,
  sign,
  SIGNATURE_HEADER,
  verify,
} from "./webhook/signature.js";
export { FLAG_ABOVE, REJECT_ABOVE } from "./lookup/risk-thresholds.js";
export type { RawBody } from "./webhook/raw-body.js";
export {
  createVelocity,
  type Velocity,
  type VelocityOptions,
  type VelocityReading,
  type VelocitySignal,
} from "./velocity/velocity.js";
export {
  createMemoryVelocityStore,
  type MemoryVelocityStoreOptions,
} from "./velocity/memory-store.js";
export type { VelocityFacts } from "./velocity/velocity-counters.js";
export type { VelocityEvent, VelocityLimit, VelocitySubject } from "./velocity/velocity-limits.js";
export type { Tally, VelocityStore } from "./velocity/velocity-store.js";
export { isStale } from "./lookup/stale.js";
export { formatTimestamp, parseTimestamp, type Timestamp } from "./webhook/timestamp.js";
export {
  EVENT_CATEGORIES,
  EVENT_KINDS,
  type EventCategory,
  type EventKind,
  INCIDENT_GENRES,
  type IncidentGenre,
  type Open,
  PAYLOAD_TYPES,
  type PayloadType,
} from "./webhook/vocabulary.js";
export type { HandlerContext, UnknownContext, WebhookHandlers } from "./webhook/handlers.js";

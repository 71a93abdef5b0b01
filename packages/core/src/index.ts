/**
 * For applications: the lookup client, the gate, the webhook receiver and the reporter.
 *
 * @module
 */
export { type ErrorCode, RiskGateError, isRiskGateError } from "./base/errors.js";
export type { ChallengeOptions } from "./challenge/challenge-options.js";
export type { SingleUseStore } from "./challenge/single-use.js";
export { type AttackModeOptions, createAttackMode } from "./attack/attack-mode.js";
export type { AttackMode } from "./attack/attack-option.js";
export { type BlockList, type BlockListOptions, createBlockList } from "./lists/block-list.js";
export { type DeviceOptions, createDevices } from "./device/devices.js";
export type { Devices } from "./model/devices.js";
export {
  type Decision,
  type Evidence,
  type EvidencePair,
  type Fault,
  OUTCOMES,
  type Outcome,
} from "./model/decision.js";
export type { FlagName } from "./model/flags.js";
export type { FlagOutcomes } from "./model/flag-outcomes.js";
export { type DecideOptions, type Facts, type Gate, createGate } from "./gate/gate.js";
export type { GateOptions } from "./gate/steps.js";
export { createRules } from "./rules/create-rules.js";
export type { Challenge } from "./challenge/challenge-step.js";
export type {
  Assessment,
  EmailAssessment,
  IpAssessment,
  IpGeo,
  Scored,
} from "./model/assessment.js";
export type { CacheStore } from "./lookup/cache-store.js";
export type { RiskClientOptions } from "./lookup/client-options.js";
export { type RiskClient, createRiskClient } from "./lookup/client.js";
export type { LookupMessage } from "./lookup/lookup-channel.js";
export type { LookupOptions, RiskLookup } from "./model/lookup.js";
export { FLAG_ABOVE, REJECT_ABOVE } from "./model/risk-thresholds.js";
export { isStale } from "./lookup/stale-answer.js";
export { createReporter } from "./report/create-reporter.js";
export type { DroppedReports } from "./outgoing/drop-notice.js";
export type { Counter, EventReport, LabelReport, LoginReport } from "./report/report.js";
export type { ReporterOptions } from "./report/reporter-options.js";
export type { Reporter } from "./report/reporter.js";
export { createVelocity } from "./velocity/velocity.js";
export type { Delivery } from "./model/delivery.js";
export type { HandlerContext, WebhookHandlers } from "./webhook/handlers.js";
export type { Inbox } from "./webhook/inbox.js";
export { parseDelivery } from "./webhook/parse-delivery.js";
export type {
  Incident,
  Payload,
  SecurityEvent,
  SecurityResponse,
  TestPayload,
} from "./model/payload.js";
export type { Receipt } from "./webhook/receipt.js";
export { type Receiver, type ReceiverOptions, createReceiver } from "./webhook/receiver.js";
export { type SeenStore, createMemorySeenStore } from "./webhook/seen-store.js";
export {
  type NamedSecret,
  SIGNATURE_HEADER,
  type SecretValue,
  type Secrets,
  sign,
  verify,
} from "./webhook/signature.js";
export {
  EVENT_CATEGORIES,
  EVENT_KINDS,
  INCIDENT_GENRES,
  PAYLOAD_TYPES,
} from "./model/vocabulary.js";

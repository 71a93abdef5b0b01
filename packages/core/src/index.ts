export type { Assessment, EmailAssessment, IpAssessment, IpGeo } from "./assessment.js";
export { type BlockList, type BlockListOptions, createBlockList } from "./block-list.js";
export type { CacheStore } from "./cache-store.js";
export { createRiskClient, type RiskClient } from "./client.js";
export type { BreakerOptions, CacheOptions, RiskClientOptions } from "./client-options.js";
export type {
  Decision,
  Evidence,
  EvidencePair,
  Failed,
  Fault,
  Outcome,
  Scored,
  Skipped,
  Source,
} from "./decision.js";
export type { DecisionMessage, DeliveryMessage, LookupMessage } from "./diagnostics.js";
export { type ErrorCode, type ErrorDetails, isRiskGateError, RiskGateError } from "./errors.js";
export { createGate, type DecideOptions, type Facts, type Gate, type GateOptions } from "./gate.js";
export type { AcceptedDelivery, Inbox } from "./inbox.js";
export type { LookupOptions, RiskLookup } from "./lookup.js";
export {
  type Delivery,
  type DeliveryElement,
  type IgnoredElement,
  type IgnoredReason,
  parseDelivery,
  type ParseOptions,
} from "./parse-delivery.js";
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
} from "./payload.js";
export type { FailedPayload, IgnoredPayload, Receipt } from "./receipt.js";
export {
  createReceiver,
  type ReceivedDelivery,
  type Receiver,
  type ReceiverOptions,
} from "./receiver.js";
export {
  type Awaitable,
  createMemorySeenStore,
  type MemorySeenStoreOptions,
  type Reservation,
  type SeenStore,
} from "./seen-store.js";
export {
  type NamedSecret,
  type RawBody,
  type Secrets,
  type SecretValue,
  sign,
  SIGNATURE_HEADER,
  verify,
} from "./signature.js";
export { isStale } from "./stale.js";
export { formatTimestamp, parseTimestamp, type Timestamp } from "./timestamp.js";
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
} from "./vocabulary.js";
export type { HandlerContext, UnknownContext, WebhookHandlers } from "./webhook-handlers.js";

// For engines and stores: addresses as values.
export { type Cidr, parseCidr } from "./cidr.js";
export { domainOf, emailProblem, foldEmail } from "./email-address.js";
export { type IpVersion, normalizeIp, parseIp } from "./ip-address.js";
export { createIpTable, type IpTable, type IpTableEntry } from "./ip-table.js";
export { isPublicAt, isPublicIp } from "./special-purpose.js";

// For adapters: everything about a request but its framework.
export type { GatedRequest } from "./gated-request.js";
export { checkPeer } from "./peer-range.js";
export type { RefusalCode, Reply } from "./problem.js";
export { createRequestGate, type RequestGate, type RequestGateOptions } from "./request-gate.js";
export {
  createWebhookEndpoint,
  type WebhookEndpoint,
  type WebhookOptions,
} from "./webhook-endpoint.js";

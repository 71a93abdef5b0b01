/**
 * Deliveries and their payloads: vocabularies, timestamps, and the contracts of the stores behind a
 * receiver.
 *
 * @module
 */
export type { DeliveryMessage } from "./webhook/delivery-channel.js";
export type { Delivery, DeliveryElement, IgnoredElement, IgnoredReason } from "./model/delivery.js";
export type { UnknownContext } from "./webhook/handlers.js";
export { nextStep, splitDelivery } from "./webhook/inbox-step.js";
export type {
  AcceptedDelivery,
  DurableInbox,
  Inbox,
  InboxCounts,
  ParkedDelivery,
} from "./webhook/inbox.js";
export { type ParseOptions, parseDelivery } from "./webhook/parse-delivery.js";
export {
  type AccountKey,
  type EventGeo,
  type EventIp,
  type Incident,
  type OpenMembers,
  type Payload,
  type SecurityEvent,
  type SecurityResponse,
  type TestPayload,
  coordinatesOf,
} from "./model/payload.js";
export type { RawBody } from "./webhook/raw-body.js";
export type { FailedPayload, Receipt } from "./webhook/receipt.js";
export type { ReceivedDelivery } from "./webhook/receiver.js";
export type { MemorySeenStoreOptions, Reservation, SeenStore } from "./webhook/seen-store.js";
export { type Timestamp, formatTimestamp, parseTimestamp } from "./webhook/timestamp.js";
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
} from "./model/vocabulary.js";

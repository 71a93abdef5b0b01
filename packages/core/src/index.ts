export type { Assessment, EmailAssessment, IpAssessment, IpGeo } from "./assessment.js";
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
export { domainOf, foldEmail } from "./email-address.js";
export { type ErrorCode, type ErrorDetails, isRiskGateError, RiskGateError } from "./errors.js";
export { type IpVersion, normalizeIp, parseIp } from "./ip-address.js";
export { createIpTable, type IpTable, type IpTableEntry } from "./ip-table.js";
export type { LookupOptions, RiskLookup } from "./lookup.js";
export { isPublicIp } from "./special-purpose.js";
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

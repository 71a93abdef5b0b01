export { adapterContract } from "./adapter/adapter-contract.js";
export type {
  AdapterHarness,
  AppPlan,
  GatePlan,
  GatePlanOptions,
  LoginPlan,
  LoginPlanOptions,
  ServedApp,
  WebhookPlan,
  WriteAnswer,
} from "./adapter/adapter-harness.js";
export type { FakeAnswer } from "./answer-table.js";
export {
  cacheStoreContract,
  type CacheStoreHarness,
  type OpenCacheStore,
} from "./cache-store-contract.js";
export type {
  ConformanceCheck,
  Deviation,
  Examination,
  RuleLevel,
} from "./conformance/conformance-check.js";
export {
  type ConformanceOptions,
  type ConformanceResult,
  runConformance,
} from "./conformance/run-conformance.js";
export type { ContractCheck } from "./contract-check.js";
export {
  createFakeLookup,
  type FakeLookup,
  type FakeLookupOptions,
  type LookupCall,
} from "./fake-lookup.js";
export {
  createFakeService,
  type FakeService,
  type FakeServiceOptions,
  type ServiceRequest,
} from "./fake-service.js";
export {
  inboxContract,
  type InboxHarness,
  type InboxSettings,
  type OpenInbox,
} from "./inbox-contract.js";
export { lookupApiContract } from "./lookup-api/lookup-api-contract.js";
export type { LookupApiTarget } from "./lookup-api/lookup-api-target.js";
export { lookupContract, type LookupHarness, type OpenLookup } from "./lookup-contract.js";
export { type OpenOutbox, outboxContract, type OutboxHarness } from "./outbox-contract.js";
export { createPayloads, enveloped, payloads, type Payloads } from "./payloads.js";
export type { RawAnswer } from "./raw-answer.js";
export { rawRequest, type RawRequest } from "./raw-request.js";
export {
  type OpenSeenStore,
  seenStoreContract,
  type SeenStoreHarness,
  type SeenStoreSettings,
} from "./seen-store-contract.js";
export { receiverContract } from "./receiver/receiver-contract.js";
export type { ReceiverTarget } from "./receiver/receiver-target.js";
export { serveHttp } from "./serve-http.js";
export type { ServiceFault } from "./service-fault.js";
export {
  type OpenVelocityStore,
  velocityStoreContract,
  type VelocityStoreHarness,
} from "./velocity-store-contract.js";
export {
  createSignUpTrace,
  type SignUpKind,
  type SignUpTraceOptions,
  type TracedSignUp,
} from "./sign-up-trace.js";
export { signDelivery, type SignedDelivery } from "./sign-delivery.js";

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
export type { FakeAnswer } from "./fake/answer-table.js";
export {
  cacheStoreContract,
  type CacheStoreHarness,
  type OpenCacheStore,
} from "./store/cache-store-contract.js";
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
export type { ContractCheck } from "./base/contract-check.js";
export {
  createFakeLookup,
  type FakeLookup,
  type FakeLookupOptions,
  type LookupCall,
} from "./fake/fake-lookup.js";
export {
  createFakeService,
  type FakeService,
  type FakeServiceOptions,
  type ServiceRequest,
} from "./fake/fake-service.js";
export {
  inboxContract,
  type InboxHarness,
  type InboxSettings,
  type OpenInbox,
} from "./store/inbox-contract.js";
export { lookupApiContract } from "./lookup-api/lookup-api-contract.js";
export type { LookupApiTarget } from "./lookup-api/lookup-api-target.js";
export { lookupContract, type LookupHarness, type OpenLookup } from "./lookup/lookup-contract.js";
export { type OpenOutbox, outboxContract, type OutboxHarness } from "./store/outbox-contract.js";
export { createPayloads, enveloped, payloads, type Payloads } from "./delivery/payloads.js";
export type { RawAnswer } from "./http/raw-answer.js";
export { rawRequest, type RawRequest } from "./http/raw-request.js";
export {
  type OpenSeenStore,
  seenStoreContract,
  type SeenStoreHarness,
  type SeenStoreSettings,
} from "./store/seen-store-contract.js";
export { receiverContract } from "./receiver/receiver-contract.js";
export type { ReceiverTarget } from "./receiver/receiver-target.js";
export { serveHttp } from "./http/serve-http.js";
export type { ServiceFault } from "./fake/service-fault.js";
export {
  type OpenVelocityStore,
  velocityStoreContract,
  type VelocityStoreHarness,
} from "./store/velocity-store-contract.js";
export {
  createSignUpTrace,
  type SignUpKind,
  type SignUpTraceOptions,
  type TracedSignUp,
} from "./trace/sign-up-trace.js";
export { signDelivery, type SignedDelivery } from "./delivery/sign-delivery.js";

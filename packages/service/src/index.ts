export type { DispatchNotice } from "./dispatch/dispatch-notice.js";
export type { RuleOptions } from "./intake/rule-options.js";
export type { ServiceLogger } from "./service-log.js";
export { createService, type Service } from "./service.js";
export type {
  DeliverySettings,
  FeedUpdateOptions,
  LedgerOptions,
  ServiceOptions,
} from "./service-options.js";

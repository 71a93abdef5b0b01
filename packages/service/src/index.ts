export type { DispatchNotice } from "./dispatch/dispatch-notice.js";
export type { RuleOptions } from "./detection/detection-settings.js";
export { SERVICE_RULE_VOCABULARY } from "./lookups/operator-rule-set.js";
export type { ServiceLogger } from "./service-log.js";
export {
  copyDatabase,
  databaseStatus,
  type CopyOptions,
  type CopyProgress,
  type DatabaseStatus,
  migrateDatabase,
  type TableCounts,
} from "./storage/copy-database.js";
export { createService, type Service } from "./service.js";
export type {
  DeliverySettings,
  FeedUpdateOptions,
  LedgerOptions,
  ServiceOptions,
} from "./service-options.js";

export { createSqliteDecisionLog, type SqliteDecisionLogOptions } from "./decision-log.js";
export { createSqliteInbox, type SqliteInboxOptions } from "./inbox.js";
export {
  createSqliteSingleUseStore,
  type SqliteSingleUseStore,
  type SqliteSingleUseStoreOptions,
} from "./single-use-store.js";

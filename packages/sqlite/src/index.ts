export { createSqliteDecisionLog, type SqliteDecisionLogOptions } from "./decision-log.js";
export { createSqliteInbox, type SqliteInboxOptions } from "./inbox.js";

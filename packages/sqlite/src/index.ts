export { createSqliteInbox, type SqliteInboxOptions } from "./inbox.js";

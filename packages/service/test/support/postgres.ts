export { hasPostgres, temporaryDatabase } from "../../../../tools/test/postgres.js";

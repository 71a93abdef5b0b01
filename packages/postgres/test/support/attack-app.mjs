// A process with a login route, whose attack mode counts in PostgreSQL.
import * as core from "@riskgate/core";
import * as adapter from "@riskgate/core/adapter";
import { createPostgresAttackStore } from "@riskgate/postgres";
import pg from "pg";
import { serveLogins } from "../../../../tools/test/serve-logins.mjs";

const { url } = JSON.parse(process.argv[2] ?? "");
const pool = new pg.Pool({ connectionString: url, max: 5 });
pool.on("error", () => {});
await serveLogins(core, adapter, createPostgresAttackStore(pool, { timeoutMs: 20_000 }));

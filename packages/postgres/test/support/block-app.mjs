// A process of its own whose block list is in PostgreSQL.
import * as core from "@riskgate/core";
import { createPostgresBlockStore } from "@riskgate/postgres";
import pg from "pg";
import { serveBlocks } from "../../../../tools/test/serve-blocks.mjs";

const { url } = JSON.parse(process.argv[2] ?? "");
const pool = new pg.Pool({ connectionString: url, max: 2 });
pool.on("error", () => {});
await serveBlocks(core, createPostgresBlockStore(pool, { onError() {} }));

// Uses the same challenge tokens as the other processes that run this program, and writes how many
// of them it was the first to use.
import { once } from "node:events";
import { createSqliteSingleUseStore } from "@riskgate/sqlite";

const { path, tokens } = JSON.parse(process.argv[2] ?? "");
const store = createSqliteSingleUseStore({ path, timeoutMs: 60_000 });
const limits = { ttlMs: 600_000, maxUnsolved: 200, maxTotal: 5_000 };
process.stdout.write("ready\n");
await once(process.stdin, "data");
const first = [];
for (const nonce of tokens) {
  const answer = await store.use({ nonce, network: "n", ...limits });
  if (answer === "new") first.push(nonce);
}
await store.close();
process.stdout.write(`${JSON.stringify(first)}\n`);
process.exit(0);

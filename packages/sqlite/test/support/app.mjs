// An application with a webhook behind an SQLite inbox, as a process of its own. Its settings are one
// JSON text. What a handler does is in the id of its payload; each call adds a line to a file.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { createReceiver, SIGNATURE_HEADER } from "@riskgate/core";
import { createSqliteInbox } from "@riskgate/sqlite";

const { directory, log, secret, slowMs, closeTimeoutMs } = JSON.parse(process.argv[2] ?? "");

const inbox = createSqliteInbox({ directory, backoffMs: 10, closeTimeoutMs, onError() {} });
const receiver = createReceiver({
  secrets: secret,
  inbox,
  inboxTimeoutMs: 30_000,
  onError() {},
  on: { unknown: handle },
});

/** @param {Record<string, unknown>} payload */
async function handle(payload) {
  const id = String(payload.id);
  appendFileSync(log, `+${id}\n`);
  if (id.startsWith("bad-")) throw new Error("for the test");
  if (id.startsWith("kill-")) process.kill(process.pid, "SIGKILL");
  if (id.startsWith("slow-")) await pause(slowMs);
  appendFileSync(log, `-${id}\n`);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stdout.write(`port ${port}\n`);
});

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
async function answer(request, response) {
  const signature = request.headers[SIGNATURE_HEADER];
  const { status } = await receiver.receive({ body: await buffer(request), signature });
  response.writeHead(status).end();
}

process.once("SIGTERM", () => void stop());

async function stop() {
  server.close();
  await inbox.close();
  server.closeAllConnections();
}

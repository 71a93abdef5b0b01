// An application with a webhook behind an inbox, run as a separate process. Its settings are one JSON
// text. The id of a payload controls its handler, and each call adds a line to a file.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { createWebhookEndpoint } from "@riskgate/core/adapter";

const settings = JSON.parse(process.argv[2] ?? "");
const { inbox, seen, disconnect } = await openStores();
const endpoint = createWebhookEndpoint(
  {
    secrets: settings.secret,
    inbox,
    ...(seen && { seen }),
    handlerTimeoutMs: 9_000,
    onError() {},
    on: { unknown: handle },
  },
  "inbox-app",
);

/** @param {Record<string, unknown>} payload */
async function handle(payload) {
  const id = String(payload["id"]);
  appendFileSync(settings.log, `+${id}\n`);
  if (id.startsWith("bad-")) throw new Error("for the test");
  if (id.startsWith("kill-")) process.kill(process.pid, "SIGKILL");
  appendFileSync(settings.log, `-${id}\n`);
}

const server = createServer((request, response) => void answer(request, response));
server.listen(settings.port, "127.0.0.1", () => process.stdout.write("listens\n"));

process.once("SIGTERM", () => void stop());

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
async function answer(request, response) {
  const reply = await endpoint.answer(request);
  response.writeHead(reply.status, reply.headers).end(reply.body);
}

async function stop() {
  const closed = once(server, "close");
  server.close();
  await closed;
  await inbox.close();
  disconnect();
}

async function openStores() {
  const { store, lockMs, backoffMs } = settings;
  if (store === "sqlite") {
    const { createSqliteInbox } = await import("@riskgate/sqlite");
    const inbox = createSqliteInbox({ directory: settings.directory, backoffMs, onError() {} });
    return { inbox, disconnect: () => {} };
  }
  const { createRedisInbox, createRedisSeenStore } = await import("@riskgate/redis");
  const { Redis } = await import("ioredis");
  const client = new Redis(settings.url).on("error", () => {});
  const name = "faults";
  const inbox = createRedisInbox(client, { name, lockMs, backoffMs, onError() {} });
  const seen = createRedisSeenStore(client, { reservationMs: lockMs, onError() {} });
  return { inbox, seen, disconnect: () => client.disconnect() };
}

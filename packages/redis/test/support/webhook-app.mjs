// An application with a webhook behind a Redis inbox. What a handler does is in the id of its
// payload; each call adds a line to a file.
import { appendFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { createWebhookEndpoint } from "@riskgate/core/adapter";
import { createRedisInbox, createRedisSeenStore } from "@riskgate/redis";

/**
 * @param {Record<string, any>} settings
 * @returns {Promise<{ port: number, stop: () => Promise<void> }>}
 */
export async function openWebhookApp(settings) {
  const { name, lockMs, concurrency, maxAttempts, work, patient } = settings;
  const { client, disconnect } = await openClient(settings);
  const inbox = createRedisInbox(client, {
    name,
    lockMs,
    concurrency,
    maxAttempts,
    work,
    backoffMs: 20,
    ...(patient && { timeoutMs: 30_000 }),
    onError() {},
  });
  const seen =
    settings.seen &&
    createRedisSeenStore(client, {
      prefix: `{${name}}:seen:`,
      reservationMs: lockMs,
      timeoutMs: 30_000,
    });
  const handle = handlerOf(settings);
  const endpoint = createWebhookEndpoint(
    {
      secrets: settings.secret,
      inbox,
      seen,
      ...(patient && { inboxTimeoutMs: 30_000 }),
      handlerTimeoutMs: 9_000,
      onError() {},
      on: { unknown: handle, test: handle },
    },
    "openWebhookApp",
  );
  const answer = async (
    /** @type {import("node:http").IncomingMessage} */ request,
    /** @type {import("node:http").ServerResponse} */ response,
  ) => {
    const reply = await endpoint.answer(request);
    response.writeHead(reply.status, reply.headers).end(reply.body);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    port,
    async stop() {
      server.close();
      await inbox.close();
      disconnect();
      server.closeAllConnections();
    },
  };
}

/** @param {Record<string, any>} settings */
function handlerOf({ log, slowMs = 100 }) {
  return async (/** @type {Record<string, unknown>} */ payload) => {
    const id = String(payload.id ?? payload.note);
    appendFileSync(log, `+${id}\n`);
    if (id.startsWith("bad-")) throw new Error("for the test");
    if (id.startsWith("kill-")) process.kill(process.pid, "SIGKILL");
    if (id.startsWith("slow-")) await pause(slowMs);
    appendFileSync(log, `-${id}\n`);
  };
}

/** @param {Record<string, any>} settings */
async function openClient({ client: kind, url }) {
  if (kind === "redis") {
    const { createClient } = await import("redis");
    const client = createClient({ url }).on("error", () => {});
    client.connect().catch(() => {});
    return { client, disconnect: () => client.destroy() };
  }
  const { Redis } = await import("ioredis");
  const client = new Redis(url).on("error", () => {});
  return { client, disconnect: () => client.disconnect() };
}

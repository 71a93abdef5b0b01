// An application with a webhook behind a Redis inbox, as a process of its own. Its settings are one
// JSON text. What a handler does is in the id of its payload; each call adds a line to a file.
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { webhookRoute } from "@riskgate/express";
import { createRedisInbox, createRedisSeenStore } from "@riskgate/redis";
import express from "express";

const settings = JSON.parse(process.argv[2] ?? "");

const client = await openClient();
const { name, lockMs, concurrency, work, strict } = settings;
const inbox = createRedisInbox(client, {
  name,
  lockMs,
  concurrency,
  work,
  strict,
  backoffMs: 50,
  ...(settings.patient && { timeoutMs: 30_000 }),
  onError: (error) => say(`error ${error.code}`),
});
const route = webhookRoute({
  secrets: settings.secret,
  inbox,
  seen: settings.seen
    ? createRedisSeenStore(client, {
        prefix: `{${name}}:seen:`,
        reservationMs: lockMs,
        timeoutMs: 30_000,
      })
    : false,
  ...(settings.patient && { inboxTimeoutMs: 30_000 }),
  handlerTimeoutMs: 9_000,
  onError() {},
  on: { unknown: handle, test: handle },
});

/** @param {Record<string, unknown>} payload */
async function handle(payload) {
  const id = String(payload.id ?? payload.note);
  appendFileSync(settings.log, `+${id}\n`);
  if (id.startsWith("bad-")) throw new Error("for the test");
  if (id.startsWith("kill-")) process.kill(process.pid, "SIGKILL");
  if (id.startsWith("slow-")) await pause(settings.slowMs ?? 100);
  if (id.startsWith("hang-")) await new Promise(() => {});
  appendFileSync(settings.log, `-${id}\n`);
}

const application = express().post("/", route);
const server = application.listen(settings.port ?? 0, "127.0.0.1", () => {
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  say(`port ${port}`);
});

process.once("SIGTERM", () => void stop());

async function stop() {
  server.close();
  await inbox.close();
  if ("destroy" in client) client.destroy();
  else client.disconnect();
  server.closeAllConnections();
}
process.on("warning", (warning) => say(`warning ${warning.name} ${warning.message}`));

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text.replaceAll("\n", " ")}\n`);
}

async function openClient() {
  if (settings.client === "redis") {
    const { createClient } = await import("redis");
    const client = createClient({ url: settings.url });
    client.on("error", () => {});
    client.connect().catch(() => {});
    return client;
  }
  const { Redis } = await import("ioredis");
  const client = new Redis(settings.url);
  client.on("error", () => {});
  return client;
}

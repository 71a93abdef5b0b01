import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { Redis as Redis5 } from "ioredis5";
import { createClient } from "redis";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RedisClient } from "../src/client.js";
import { createRedisInbox } from "../src/inbox.js";
import { hasRedis, startRedis } from "./support/redis-server.js";

/** An application that does not care when its client is connected again. */
const PATIENT_MS = 3_600_000;
const retryStrategy = () => PATIENT_MS;

const CLIENTS: Readonly<Record<string, (url: string) => readonly [RedisClient, () => void]>> = {
  "ioredis 6"(url) {
    const client = new Redis(url, { retryStrategy }).on("error", () => {});
    return [client, () => client.disconnect()];
  },
  "ioredis 5"(url) {
    const client = new Redis5(url, { retryStrategy }).on("error", () => {});
    return [client, () => client.disconnect()];
  },
  "node-redis 5"(url) {
    const socket = { reconnectStrategy: () => PATIENT_MS };
    const client = createClient({ url, socket }).on("error", () => {});
    client.connect().catch(() => {});
    return [client, () => client.destroy()];
  },
};

describe.skipIf(!hasRedis)("an inbox whose Redis was away (without redis-server: skipped)", () => {
  it.each(Object.keys(CLIENTS))(
    "R33 looks for it again, however the application's %s does",
    async (name) => {
      const server = await startRedis();
      onTestFinished(async () => server.close());
      const [client, close] = CLIENTS[name]!(server.url);
      onTestFinished(close);
      const inbox = createRedisInbox(client, { name: randomUUID(), onError() {} });
      onTestFinished(async () => inbox.close());
      const accept = async () =>
        inbox.accept({ body: Buffer.from("[{}]"), secretId: "0" }).then(
          () => "stored",
          () => "refused",
        );
      await expect.poll(accept).toBe("stored");
      await server.kill();
      await expect.poll(accept).toBe("refused");
      await server.start();
      await expect.poll(accept).toBe("stored");
    },
  );
});

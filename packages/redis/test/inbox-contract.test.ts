import { randomUUID } from "node:crypto";
import { inboxContract } from "@riskgate/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRedisInbox } from "../src/inbox.js";
import { CLIENTS } from "./support/clients.js";
import { hasRedis, type RedisServer, startRedis } from "./support/redis-server.js";

describe.skipIf(!hasRedis)("createRedisInbox (skipped without redis-server)", () => {
  let server: RedisServer;
  beforeAll(async () => void (server = await startRedis()));
  afterAll(async () => server.close());

  describe.each(CLIENTS)("with %s", (name, openClient) => {
    it.concurrent.each(inboxContract)("$id $title", async (check) => {
      const running = check.run({
        name,
        async open({ maxAttempts }) {
          const { client, close } = await openClient(server.url);
          const inbox = createRedisInbox(client, {
            name: randomUUID(),
            maxAttempts,
            backoffMs: 10,
            timeoutMs: 20_000,
            strict: true,
          });
          const counts = inbox.counts.bind(inbox);
          return {
            inbox,
            async open() {
              const { waiting, active, delayed } = await counts();
              return waiting + active + delayed;
            },
            parked: async () => (await counts()).parked,
            async close() {
              await inbox.close();
              close();
            },
          };
        },
      });
      await expect(running).resolves.toBeUndefined();
    });
  });
});

import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createVelocity } from "@riskgate/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedisCache } from "../src/cache.js";
import { createRedisVelocityStore } from "../src/velocity-store.js";
import { openClient } from "./support/clients.js";
import { hasRedis, startRedis } from "./support/redis-server.js";

/** A client whose commands are answered late by as much as is set, with the commands that it was sent. */
async function lateClient() {
  const server = await startRedis();
  onTestFinished(async () => server.close());
  const redis = await openClient(server.url);
  onTestFinished(redis.close);
  const late = { ms: 0, sent: [] as string[] };
  const client = {
    duplicate: () => client,
    disconnect() {},
    async call(command: string, args: string[]) {
      late.sent.push(command);
      const answer = await redis.send(command, ...args);
      if (late.ms > 0) await pause(late.ms, undefined, { ref: false });
      return answer;
    },
  };
  return { client, late };
}

describe.skipIf(!hasRedis)("a Redis that is slow (without redis-server: skipped)", () => {
  const visit = { email: "ada@shop.example", ip: "9.9.9.9" };

  it("is waited for by one of the stores on a client, and not by the next", async () => {
    const { client, late } = await lateClient();
    const errors: string[] = [];
    // Nothing more is sent before the ping has waited as long.
    const options = { prefix: `${randomUUID()}:`, timeoutMs: 2_000 };
    const onError = ({ message }: Error) => void errors.push(message);
    const cache = createRedisCache(client, { ...options, onError });
    const velocity = createVelocity({
      store: createRedisVelocityStore(client, { ...options, onError }),
    });
    late.ms = 600_000;
    await expect(cache.get("key")).rejects.toBeInstanceOf(Error);
    await expect(velocity.count(visit)).rejects.toMatchObject({ code: "STORE_FAILED" });
    expect(late.sent).toEqual(["GETRANGE", "PING"]);
    expect(errors).toEqual(["the cache failed", "the velocity store failed"]);
  });

  it("is not healthy before it answers as fast as commands wait for", async () => {
    const { client, late } = await lateClient();
    const cache = createRedisCache(client, {
      prefix: `${randomUUID()}:`,
      timeoutMs: 50,
      onError() {},
    });
    late.ms = 150;
    await expect(cache.get("key")).rejects.toBeInstanceOf(Error);
    // The ping is answered, too late.
    await pause(300);
    await expect(cache.get("key")).rejects.toThrow("did not respond recently");
    expect(late.sent).not.toContain("SET");
    late.ms = 0;
    await expect
      .poll(async () =>
        cache.get("key").then(
          () => "used",
          () => "left alone",
        ),
      )
      .toBe("used");
  });
});

import { Redis } from "ioredis";
import { Redis as Redis5 } from "ioredis5";
import { createClient } from "redis";
import type { RedisClient } from "../../src/client.js";

/** A client of an application, and how to end it. */
export interface OpenClient {
  readonly client: RedisClient;
  /** Send one command, for the test's own look at Redis. */
  readonly send: (command: string, ...args: string[]) => Promise<unknown>;
  readonly close: () => void;
}

type Open = (url: string) => Promise<OpenClient>;

const openIoredis = async (client: Redis | Redis5): Promise<OpenClient> => {
  client.on("error", () => {});
  return {
    client,
    send: async (command, ...args) => client.call(command, args),
    close: () => client.disconnect(),
  };
};

const openNodeRedis: Open = async (url) => {
  const client = createClient({ url });
  client.on("error", () => {});
  await client.connect();
  return {
    client,
    send: async (...args) => client.sendCommand(args),
    close: () => client.destroy(),
  };
};

/** Every client that the package supports. */
export const CLIENTS: readonly (readonly [name: string, open: Open])[] = [
  ["ioredis 6", async (url) => openIoredis(new Redis(url))],
  ["ioredis 5", async (url) => openIoredis(new Redis5(url))],
  ["node-redis 5", openNodeRedis],
];

/** The first of them. */
export const openClient: Open = async (url) => openIoredis(new Redis(url));

import { randomUUID } from "node:crypto";
import type { TestContext } from "vitest";
import type { DurableInbox } from "@riskgate/core/payloads";
import { createRedisInbox, type RedisInboxOptions } from "../../src/inbox.js";
import {
  type App,
  type AppProcess,
  type AppSettings,
  type HandlerLog,
  openApp,
  openLog,
  startApp,
} from "./app.js";
import { type OpenClient, openClient } from "./clients.js";
import { type RedisServer, startRedis } from "./redis-server.js";

/** What the test of one case has to itself. */
export interface World {
  readonly server: RedisServer;
  readonly log: HandlerLog;
  readonly name: string;
  /** Start an application as a process of its own. */
  readonly start: (settings?: Partial<AppSettings>) => Promise<AppProcess>;
  /** Open one in the process of the test. */
  readonly open: (settings?: Partial<AppSettings>) => Promise<App>;
  /** The same inbox seen from the process of the test, which handles nothing. */
  readonly look: (options?: Partial<RedisInboxOptions>) => Promise<DurableInbox>;
  readonly send: OpenClient["send"];
}

type Finish = TestContext["onTestFinished"];

/** Start a Redis; everything ends with the test, the latest first. */
export async function openWorld(
  { onTestFinished }: { readonly onTestFinished: Finish },
  settings: Record<string, string> = {},
): Promise<World> {
  const server = await startRedis(settings);
  onTestFinished(async () => server.close());
  const log = openLog();
  onTestFinished(() => log.close());
  const { client, send, close } = await openClient(server.url);
  onTestFinished(close);
  const name = randomUUID();
  return {
    server,
    log,
    name,
    send,
    async start(more = {}) {
      const app = await startApp({ url: server.url, name, log: log.path, seen: true, ...more });
      onTestFinished(async () => void (await app.kill()));
      return app;
    },
    async open(more = {}) {
      const app = await openApp({ url: server.url, name, log: log.path, seen: true, ...more });
      onTestFinished(async () => app.close());
      return app;
    },
    async look(options = {}) {
      const inbox = createRedisInbox(client, { name, work: false, onError() {}, ...options });
      onTestFinished(async () => inbox.close());
      return inbox;
    },
  };
}

/** The counts of an inbox with nothing in it. */
export const EMPTY = { waiting: 0, active: 0, delayed: 0, parked: 0 };

/** So many ids that begin with a name, which says what the handler does. */
export const idsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

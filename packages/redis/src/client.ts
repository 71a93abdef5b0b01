import type { EventEmitter } from "node:events";
import { RiskGateError } from "@riskgate/core";
import { GuardedServer } from "@riskgate/core/internal";

export interface IoredisClient {
  call(command: string, args: string[]): Promise<unknown>;
  // oxlint-disable-next-line typescript/method-signature-style -- A method accepts the overloads of both.
  duplicate(...args: never[]): unknown;
  disconnect(): void;
}

/** A client of `redis` (node-redis), connected by the application. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
  duplicate(...args: never[]): unknown;
  destroy(): void;
}

/** The application's client: `ioredis` 5 or 6, or `redis` 5. */
export type RedisClient = IoredisClient | NodeRedisClient;

export interface RedisConnection {
  readonly send: (command: string, ...args: string[]) => Promise<unknown>;
  /** Opens a separate connection, which the caller must close. */
  duplicate(): OwnConnection;
}

/** A connection that belongs to one part of this package. */
export interface OwnConnection extends RedisConnection {
  /** The connection passed to BullMQ. */
  readonly client: object;
  close(): void;
}

export function connectionOf(factory: string, client: unknown): RedisConnection {
  if (isIoredis(client)) return ioredisConnection(client);
  if (isNodeRedis(client)) return nodeRedisConnection(client);
  throw new RiskGateError(
    "CONFIG_INVALID",
    `the first argument of ${factory}() must be an ioredis client (new Redis()) or a redis client (createClient())`,
  );
}

function isIoredis(client: unknown): client is IoredisClient {
  return hasMethods(client, ["call", "duplicate", "disconnect"]);
}

/** node-redis clusters and pools have another `sendCommand`, and lack `isReady` or `destroy`. */
function isNodeRedis(client: unknown): client is NodeRedisClient {
  return hasMethods(client, ["sendCommand", "duplicate", "destroy"]) && "isReady" in client;
}

function hasMethods(value: unknown, names: readonly string[]): value is object {
  if (typeof value !== "object" || value === null) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof members[name] === "function");
}

function ioredisConnection(client: IoredisClient): RedisConnection {
  return {
    send: (command, ...args) => client.call(command, args),
    duplicate() {
      const copy = duplicateIoredis(client);
      return { ...ioredisConnection(copy), client: copy, close: () => copy.disconnect() };
    },
  };
}

/** Longest wait between reconnections: an inbox accepts within 5 s of Redis's return. */
const RECONNECT_MS = 500;

/** Time limit for one attempt, in milliseconds: a host that is down never responds. */
const CONNECT_TIMEOUT_MS = 2_000;

const reconnectAfterMs = (attempts: number): number => Math.min(attempts * 50, RECONNECT_MS);

/**
 * BullMQ uses blocking commands, which the application's command timeout would abort; after a
 * reconnection, commands without a reply are resent. By default ioredis waits up to 5 s between
 * connection attempts, and up to 10 s for Redis to load its data.
 */
function duplicateIoredis(client: IoredisClient): IoredisClient {
  const redisOptions = {
    maxRetriesPerRequest: null,
    enableOfflineQueue: true,
    commandTimeout: undefined,
    socketTimeout: undefined,
    keyPrefix: "",
    retryStrategy: reconnectAfterMs,
    maxLoadingRetryTime: RECONNECT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
  };
  const isCluster = (client as { readonly isCluster?: unknown }).isCluster === true;
  const args = isCluster
    ? [undefined, { redisOptions, keyPrefix: "", clusterRetryStrategy: reconnectAfterMs }]
    : [redisOptions];
  return client.duplicate(...(args as never[])) as IoredisClient;
}

function nodeRedisConnection(client: NodeRedisClient): RedisConnection {
  return {
    send: (...args) => client.sendCommand(args),
    duplicate() {
      const copy = duplicateNodeRedis(client);
      const close = (): void => {
        try {
          copy.destroy();
        } catch {
          // Already closed, or never open.
        }
      };
      return { ...nodeRedisConnection(copy), client: copy, close };
    },
  };
}

/** The application's strategy may stop permanently, but an inbox must not. */
function duplicateNodeRedis(client: NodeRedisClient): NodeRedisClient {
  const { options } = client as { readonly options?: { readonly socket?: object } };
  const socket = {
    ...options?.socket,
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: reconnectAfterMs,
  };
  return client.duplicate(...([{ socket }] as never[])) as NodeRedisClient;
}

/** Calls a listener whenever the client has connected; clients of both libraries emit events. */
export function onConnected(client: RedisClient, listener: () => void): void {
  (client as Partial<Pick<EventEmitter, "on">>).on?.("ready", listener);
}

const servers = new WeakMap<RedisClient, Map<number, GuardedServer>>();

/**
 * Returns a client's circuit breaker, for users that do not wait for recovery: if a command of one
 * user fails, the others fail immediately.
 *
 * @param timeoutMs Milliseconds for one command; only users with the same limit share a breaker.
 */
export function serverOf(
  client: RedisClient,
  timeoutMs: number,
  onDown: (cause: unknown) => void,
): GuardedServer {
  const known = servers.get(client) ?? new Map<number, GuardedServer>();
  servers.set(client, known);
  const shared = known.get(timeoutMs)?.alsoReport(onDown);
  if (shared) return shared;
  const { send } = connectionOf("serverOf", client);
  const ping = async (): Promise<unknown> => send("PING");
  const server = new GuardedServer({ name: "Redis", timeoutMs, ping, onDown });
  known.set(timeoutMs, server);
  return server;
}

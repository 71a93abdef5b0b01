import { RiskGateError } from "@riskgate/core";
import { GuardedServer } from "@riskgate/core/internal";

/** A client or a cluster of `ioredis`, as far as it is used here. */
export interface IoredisClient {
  call(command: string, args: string[]): Promise<unknown>;
  // oxlint-disable-next-line typescript/method-signature-style -- A method takes the overloads of both.
  duplicate(...args: never[]): unknown;
  disconnect(): void;
}

/** A client of `redis` (node-redis), connected by the application. */
export interface NodeRedisClient {
  sendCommand(args: string[]): Promise<unknown>;
  duplicate(...args: never[]): unknown;
  destroy(): void;
}

/** A client of the application: `ioredis` 5 and 6, or `redis` 5. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** The commands that the stores are made of, whichever client sends them. */
export interface RedisConnection {
  /** Sends one command; its first word is the name. */
  readonly send: (command: string, ...args: string[]) => Promise<unknown>;
  /** The same over a separate connection, which its opener closes. */
  duplicate(): OwnConnection;
}

/** A connection that belongs to one part of this package. */
export interface OwnConnection extends RedisConnection {
  /** What BullMQ takes as its connection. */
  readonly client: object;
  close(): void;
}

/**
 * Reads the first argument of a factory.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an unknown client.
 */
export function connectionOf(factory: string, client: unknown): RedisConnection {
  if (isIoredis(client)) return ioredisConnection(client);
  if (isNodeRedis(client)) return nodeRedisConnection(client);
  throw new RiskGateError(
    "CONFIG_INVALID",
    `the first argument of ${factory}() must be a client of ioredis (new Redis()) or of redis (createClient())`,
  );
}

function isIoredis(client: unknown): client is IoredisClient {
  return hasMethods(client, ["call", "duplicate", "disconnect"]);
}

/** A cluster or a pool of node-redis has another `sendCommand`, and no `isReady` or no `destroy`. */
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

/** Longest wait between two attempts to reach Redis again: an inbox accepts within 5 s of its return. */
const RECONNECT_MS = 500;

/** Time for one such attempt, in milliseconds: one that is sent while the host is gone is not answered. */
const CONNECT_TIMEOUT_MS = 2_000;

const reconnectAfterMs = (attempts: number): number => Math.min(attempts * 50, RECONNECT_MS);

/**
 * BullMQ waits in Redis for work: a time limit of the application's own commands would end that, and
 * commands that were not answered are sent again after a reconnection. By default ioredis waits up to
 * 5 s between attempts to connect, and up to 10 s for a Redis that loads its file.
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
          // It was closed already, or never open.
        }
      };
      return { ...nodeRedisConnection(copy), client: copy, close };
    },
  };
}

/** The application's strategy may stop for good, but an inbox must not. */
function duplicateNodeRedis(client: NodeRedisClient): NodeRedisClient {
  const { options } = client as { readonly options?: { readonly socket?: object } };
  const socket = {
    ...options?.socket,
    connectTimeout: CONNECT_TIMEOUT_MS,
    reconnectStrategy: reconnectAfterMs,
  };
  return client.duplicate(...([{ socket }] as never[])) as NodeRedisClient;
}

const servers = new WeakMap<RedisClient, Map<number, GuardedServer>>();

/**
 * Returns the circuit breaker of a client, for users that do not wait for a server to recover: if a
 * command of one of them fails, the others fail at once.
 *
 * @param timeoutMs Time for one command; only users with the same time share a circuit breaker.
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

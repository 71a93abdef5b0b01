import { RiskGateError } from "@riskgate/core";
import { type OptionReader, readOptions } from "@riskgate/core/adapter";
import { createErrorReport, type ErrorHook, type GuardedServer } from "@riskgate/core/internal";
import { connectionOf, type RedisClient, type RedisConnection, serverOf } from "./client.js";

interface OpenStore extends Pick<RedisConnection, "send"> {
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly report: ErrorHook;
  readonly onDown: (cause: unknown) => void;
  /** The circuit breaker shared with other stores of this client. */
  readonly server: GuardedServer;
}

/**
 * Reads a store's client, the options that all stores have, and its `more`.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function openStore<More extends object = object>(
  [factory, name, prefix, timeoutMs]: readonly [string, string, string, number],
  redis: RedisClient,
  options: object,
  more?: (given: OptionReader) => More,
): OpenStore & More {
  const { send } = connectionOf(factory, redis);
  const settings = readOptions(factory, options, (given) => ({
    prefix: given.string("prefix") ?? prefix,
    timeoutMs: given.durationMs("timeoutMs", timeoutMs),
    report: createErrorReport(given.function<ErrorHook>("onError")),
    ...(more?.(given) as More),
  }));
  const onDown = (cause: unknown): void =>
    settings.report(new RiskGateError("STORE_FAILED", `the ${name} failed`, { cause }));
  return {
    ...settings,
    send,
    onDown,
    get server() {
      return serverOf(redis, settings.timeoutMs, onDown);
    },
  };
}

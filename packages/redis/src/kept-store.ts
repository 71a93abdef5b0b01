import { isRiskGateError, RiskGateError } from "@riskgate/core";
import type { OptionReader } from "@riskgate/core/adapter";
import { onConnected, type RedisClient } from "./client.js";
import { evictionProblem } from "./durability.js";
import { openStore } from "./open-store.js";

/** What a store keeps, and what happens if Redis drops it. */
interface Kept {
  readonly things: string;
  readonly dropped: string;
}

/**
 * Opens a store whose entries must live until they expire. A Redis that may evict keys is refused
 * when the client connects: `onError` receives CONFIG_INVALID, and `ready` rejects.
 *
 * @throws {RiskGateError} CONFIG_INVALID for an invalid option or client.
 */
export function openKeptStore<More extends object = object>(
  names: Parameters<typeof openStore>[0],
  redis: RedisClient,
  options: object,
  { things, dropped }: Kept,
  more?: (given: OptionReader) => More,
): ReturnType<typeof openStore<More>> & { readonly ready: () => Promise<void> } {
  const store = openStore(names, redis, options, more);
  const { send, report } = store;
  let checked: Promise<void> | undefined;
  let isChecking = false;
  const check = async (): Promise<void> => {
    const problem = evictionProblem(String(await send("INFO", "memory")), dropped);
    if (problem === undefined) return;
    throw new RiskGateError("CONFIG_INVALID", `Redis cannot hold ${things}: ${problem}`, {
      hint: `Set this policy, or keep ${things} on a separate Redis server`,
    });
  };
  // After a failure, the next call checks again.
  const ready = async (): Promise<void> => {
    if (checked) return checked;
    isChecking = true;
    checked = check()
      .catch((error: unknown) => {
        checked = undefined;
        throw error;
      })
      .finally(() => (isChecking = false));
    return checked;
  };
  const verify = (): void => {
    if (isChecking) return;
    checked = undefined;
    ready().catch((error: unknown) => isRiskGateError(error) && report(error));
  };
  // A client of `redis` may connect later, and every client may come back to another server.
  onConnected(redis, verify);
  verify();
  return Object.assign(store, { ready });
}

import { setTimeout as sleep } from "node:timers/promises";

/** Wait until something that happens soon has happened; only a hang takes as long as `withinMs`. */
export async function until(condition: () => boolean, withinMs = 20_000): Promise<void> {
  const dueMs = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > dueMs)
      throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    await sleep(5);
  }
}

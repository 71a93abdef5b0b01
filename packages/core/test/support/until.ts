import { setTimeout as sleep } from "node:timers/promises";

/** Wait until something that happens soon has happened; fails after `withinMs`. */
export async function until(condition: () => boolean, withinMs = 2000): Promise<void> {
  const dueMs = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > dueMs)
      throw new Error(`not within ${withinMs} ms: ${condition.toString()}`);
    await sleep(5);
  }
}

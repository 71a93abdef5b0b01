import { deepEqual, ok } from "node:assert/strict";

export interface ProcessWatch {
  /** Texts of the process warnings since the start, with their codes. */
  readonly warnings: readonly { readonly code: string; readonly text: string }[];
  /**
   * Stops watching. Asserts that every rejection was handled, that no listener was leaked, and that
   * the numbers of sockets, servers and timers are as before.
   * @param patienceMs Time limit for these assertions; default 30 seconds.
   */
  end(patienceMs?: number): Promise<void>;
  /** Stops watching after a failure, without a check. */
  stop(): void;
}

/** Time limit for events that should occur immediately; only a hang takes longer. */
export const PATIENCE_MS = 30_000;

export async function watchProcess(): Promise<ProcessWatch> {
  // A handle still counts for a moment after it was closed.
  await pause(5);
  const before = resources();
  const warnings: { code: string; text: string }[] = [];
  const rejections: unknown[] = [];
  const onWarning = (warning: Error & { code?: string }): void =>
    void warnings.push({ code: warning.code ?? warning.name, text: warning.message });
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  process.on("warning", onWarning).on("unhandledRejection", onRejection);
  const stop = (): void => {
    process.off("warning", onWarning).off("unhandledRejection", onRejection);
  };

  return {
    warnings,
    stop,
    async end(patienceMs = PATIENCE_MS) {
      await until(() => excess(resources(), before).length === 0, patienceMs);
      stop();
      deepEqual(excess(resources(), before), [], "sockets, servers or timers remain");
      deepEqual(rejections, [], "a rejection was not handled");
      const leaks = warnings.filter(({ code }) => code === "MaxListenersExceededWarning");
      ok(leaks.length === 0, `listeners leak: ${leaks[0]?.text}`);
    },
  };
}

/** Lets timers and sockets run. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Waits until a condition holds or time runs out; the caller asserts it. */
export async function until(holds: () => boolean, patienceMs: number): Promise<void> {
  const dueMs = performance.now() + patienceMs;
  while (!holds() && performance.now() < dueMs) await pause(5);
}

function resources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (/^(?:TCP|Timeout|Immediate)/.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function excess(now: Map<string, number>, before: Map<string, number>): string[] {
  return [...now].flatMap(([name, count]) => {
    const more = count - (before.get(name) ?? 0);
    return more > 0 ? [`${more} ${name}`] : [];
  });
}

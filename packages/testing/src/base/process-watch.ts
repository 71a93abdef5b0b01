import { deepEqual, ok } from "node:assert/strict";

/** Watches the whole process for anything that a request must not leave behind. */
export interface ProcessWatch {
  /** Texts of the process warnings since the start, with their codes. */
  readonly warnings: readonly { readonly code: string; readonly text: string }[];
  /**
   * Stop watching. Asserts that nothing was rejected unnoticed, that no listener was leaked, and
   * that sockets, servers and timers are back at their level.
   *
   * @param patienceMs How long they may take; default 30 seconds.
   */
  end(patienceMs?: number): Promise<void>;
  /** Stops watching after a failure, without a check. */
  stop(): void;
}

/** How long to wait for something that should happen at once; only a hang takes longer. */
export const PATIENCE_MS = 30_000;

/** Start to watch the process. */
export async function watchProcess(): Promise<ProcessWatch> {
  // Handles that were closed just now are still counted for a moment.
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

/** Let timers and sockets have their turn. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Wait until something holds, or until patience ends: the caller asserts what must hold. */
export async function until(holds: () => boolean, patienceMs: number): Promise<void> {
  const dueMs = performance.now() + patienceMs;
  while (!holds() && performance.now() < dueMs) await pause(5);
}

/** Names of the resources that keep the process alive, without permanent ones. */
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

import { deepEqual, ok } from "node:assert/strict";

/** Watches the whole process for what no request may leave behind. */
export interface ProcessWatch {
  /** Texts of the process warnings since the start, with their codes. */
  readonly warnings: readonly { readonly code: string; readonly text: string }[];
  /**
   * Stop watching. Asserts that nothing was rejected unnoticed, that no listener was leaked, and
   * that sockets, servers and timers are back at their level within two seconds.
   */
  end(): Promise<void>;
  /** Stop watching after a failure, without a judgement. */
  stop(): void;
}

const BACK_TO_LEVEL_MS = 2_000;

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
    async end() {
      const dueMs = performance.now() + BACK_TO_LEVEL_MS;
      while (excess(resources(), before).length > 0 && performance.now() < dueMs) await pause(10);
      stop();
      deepEqual(excess(resources(), before), [], "sockets, servers or timers are left over");
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

/** Names of what keeps the process alive, and is not there for good. */
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

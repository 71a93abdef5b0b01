import { callHook } from "../base/call-hook.js";
import type { ErrorCode, RiskGateError } from "../base/errors.js";
import { startDeadline } from "../base/time-limit.js";
import { warn } from "../base/warning.js";

/** Reports lost or rejected since the last notice with this code. */
export interface DroppedReports {
  /** Events and logins. */
  readonly reports: number;
  readonly counts: number;
  /** The latest error with this code. */
  readonly error: RiskGateError;
}

/** Receives the number of lost reports. */
export type DropHook = (dropped: DroppedReports) => unknown;

/** Reports drops to a hook, for each code immediately and then at most once a minute. */
export interface DropNotice {
  add(error: RiskGateError, reports: number, counts?: number): void;
  flush(): void;
}

const QUIET_MS = 60_000;

const IGNORED = { report: () => {}, otherwise: undefined };

interface Pending {
  reports: number;
  counts: number;
  error: RiskGateError;
}

export function createDropNotice(hook: DropHook | undefined): DropNotice {
  const pending = new Map<ErrorCode, Pending>();
  /** Codes that were reported within the last minute. */
  const quiet = new Map<ErrorCode, () => void>();

  const publish = (code: ErrorCode): void => {
    const dropped = pending.get(code);
    if (!dropped) return;
    pending.delete(code);
    // Errors thrown by `onDrop` cannot be reported anywhere.
    void callHook("`onDrop`", () => (hook ?? warnOf)({ ...dropped }), IGNORED);
  };
  const wait = (code: ErrorCode): void => {
    const stop = startDeadline(QUIET_MS, () => {
      quiet.delete(code);
      if (!pending.has(code)) return;
      publish(code);
      wait(code);
    });
    quiet.set(code, stop);
  };

  return {
    add(error, reports, counts = 0) {
      const { code } = error;
      const before = pending.get(code) ?? { reports: 0, counts: 0 };
      pending.set(code, {
        reports: before.reports + reports,
        counts: before.counts + counts,
        error,
      });
      if (quiet.has(code)) return;
      publish(code);
      wait(code);
    },
    flush() {
      for (const stop of quiet.values()) stop();
      quiet.clear();
      for (const code of pending.keys()) publish(code);
    },
  };
}

function warnOf({ error }: DroppedReports): void {
  // A message about an invalid report names the nearest member, and shows nothing of the report.
  const why = error.code === "INVALID_ARGUMENT" ? ` (${error.message})` : "";
  warn(
    "RISKGATE_REPORTS_DROPPED",
    `riskgate dropped reports: ${error.code}${why}. ${error.hint}. Set the option \`onDrop\` to see how many`,
    QUIET_MS,
  );
}

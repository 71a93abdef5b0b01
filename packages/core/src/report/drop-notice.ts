import type { ErrorCode, RiskGateError } from "../base/errors.js";
import { warn } from "../base/warning.js";

/** Reports that were lost, or refused, since this was last told. */
export interface DroppedReports {
  /** Events and logins. */
  readonly reports: number;
  /** What was counted. */
  readonly counts: number;
  /** Why; of several reasons with this code the latest. */
  readonly error: RiskGateError;
}

/** Receives what was lost. */
export type DropHook = (dropped: DroppedReports) => unknown;

/** Tells of drops, for each code at once and then at most once a minute. */
export interface DropNotice {
  add(error: RiskGateError, reports: number, counts?: number): void;
  /** Tell everything now. */
  flush(): void;
}

const QUIET_MS = 60_000;

interface Pending {
  reports: number;
  counts: number;
  error: RiskGateError;
}

/** Makes the notice; without a hook there is a process warning. */
export function createDropNotice(hook: DropHook | undefined): DropNotice {
  const pending = new Map<ErrorCode, Pending>();
  /** Codes that were told of within the last minute. */
  const quiet = new Map<ErrorCode, NodeJS.Timeout>();

  const tell = (code: ErrorCode): void => {
    const dropped = pending.get(code);
    if (!dropped) return;
    pending.delete(code);
    void call(hook ?? warnOf, { ...dropped });
  };
  const rest = (code: ErrorCode): void => {
    const timer = setTimeout(() => {
      quiet.delete(code);
      if (!pending.has(code)) return;
      tell(code);
      rest(code);
    }, QUIET_MS).unref();
    quiet.set(code, timer);
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
      tell(code);
      rest(code);
    },
    flush() {
      for (const timer of quiet.values()) clearTimeout(timer);
      quiet.clear();
      for (const code of pending.keys()) tell(code);
    },
  };
}

async function call(hook: DropHook, dropped: DroppedReports): Promise<void> {
  try {
    await hook(dropped);
  } catch {
    // A hook that hears of losses has nowhere to report its own failure.
  }
}

function warnOf({ error }: DroppedReports): void {
  warn(
    "RISKGATE_REPORTS_DROPPED",
    `riskgate dropped reports for ${error.code}. ${error.hint}. Set the option \`onDrop\` to see how many`,
    QUIET_MS,
  );
}

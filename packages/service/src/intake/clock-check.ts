import { RiskGateError } from "@riskgate/core";
import { CLOCK_SKEW, isFromFuture } from "../detection/events/member-reader.js";
import type { Report } from "../detection/events/report.js";
import type { Clock, Instant } from "../model/instant.js";
import type { NewLogEntry } from "../model/log-entry.js";

/**
 * Notices that the clock was set back so far that every dated report seems to be from the future. A
 * sender whose clock is wrong is not enough: the clock must also be behind times on record.
 */
export interface ClockCheck {
  /** Reads a response to a report, and the entries that were accepted. */
  observe(report: Report, entries: readonly NewLogEntry[]): Promise<void>;
  /** Returns true while dated reports are refused because of the clock. */
  isBehind(): boolean;
}

export function createClockCheck(
  clock: Clock,
  lastInstant: () => Promise<Instant>,
  onError: (error: RiskGateError) => void,
): ClockCheck {
  let latest = 0;
  let hasRead = false;
  let isRefusing = false;
  const isBehind = (): boolean => isRefusing && latest - clock() > CLOCK_SKEW;
  return {
    isBehind,
    async observe({ elements }, entries) {
      const now = clock();
      // An entry without a date has exactly the present time.
      if (entries.some(({ occurredAt }) => occurredAt < now - MARGIN)) isRefusing = false;
      latest = Math.max(latest, now);
      const isRefused = elements.some((one) => one.state === "refused" && isFromFuture(one.reason));
      if (!isRefused || isBehind()) return;
      if (!hasRead) latest = Math.max(latest, await lastInstant());
      hasRead = true;
      isRefusing = true;
      if (isBehind()) onError(clockBehind());
    },
  };
}

/** Reading and storing a report takes less time than this. */
const MARGIN: Instant = 60_000_000;

function clockBehind(): RiskGateError {
  const message = "dated reports are refused: the clock is behind what is stored";
  const hint = "Correct the clock of this machine, or that of the database";
  return new RiskGateError("CONFIG_INVALID", message, { hint });
}

import type { DetectionSettings } from "./detection-settings.js";

export interface WindowBounds {
  readonly maxEntries: number;
  /** Minimum time for which a value is retained, unless there are too many; the maximum is twice that. */
  readonly lifetimeMs: number;
}

const DAY_MS = 24 * 3_600_000;

export function windowBounds({
  logins,
  incidents,
  maxSubjects: maxEntries,
}: DetectionSettings): Readonly<Record<string, WindowBounds>> {
  const lasting = (lifetimeMs: number): WindowBounds => ({ maxEntries, lifetimeMs });
  return {
    owners: lasting(30 * DAY_MS),
    failing: lasting(logins.windowMs),
    scanning: lasting(logins.windowMs),
    passing: lasting(logins.windowMs),
    strangers: lasting(DAY_MS),
    reported: lasting(logins.windowMs),
    waiting: lasting(incidents.windowMs),
    minutes: lasting(DAY_MS),
    involved: lasting(DAY_MS),
    endings: lasting(30 * DAY_MS),
    blocks: lasting(30 * DAY_MS),
  };
}

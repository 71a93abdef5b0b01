export interface Timestamp {
  readonly date: Date;
  /** Whole microseconds since 1970-01-01T00:00:00Z. */
  readonly epochMicros: number;
}

const FORM = /^(\d{4}-\d\d-(\d\d))T(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads a payload's timestamp: ISO 8601 with an offset, with or without a fraction.
 * @returns Undefined for any other value; never an invalid Date.
 */
export function parseTimestamp(value: unknown): Timestamp | undefined {
  const match = typeof value === "string" ? FORM.exec(value) : null;
  if (!match) return undefined;
  const [, day, dayOfMonth, time, fraction = "", offset] = match;
  // Some engines roll February 30 over into March, but it is a mistake, not a later day.
  if (new Date(`${day}T00:00:00Z`).getUTCDate() !== Number(dayOfMonth)) return undefined;
  const epochMs = Date.parse(`${day}T${time}${offset}`);
  if (Number.isNaN(epochMs)) return undefined;
  const micros = Number(fraction.padEnd(6, "0").slice(0, 6));
  return {
    date: new Date(epochMs + Math.floor(micros / 1000)),
    epochMicros: epochMs * 1000 + micros,
  };
}

/**
 * Formats a timestamp as the service does: six digits of fraction and `+00:00`. Source:
 * specification, Security event.
 */
export function formatTimestamp(epochMicros: number): string {
  const epochMs = Math.floor(epochMicros / 1000);
  const micros = String(epochMicros - epochMs * 1000).padStart(3, "0");
  return `${new Date(epochMs).toISOString().slice(0, -1)}${micros}+00:00`;
}

import { limitTime } from "@riskgate/core/internal";
import { storedText } from "./database.js";
import { noAnswer } from "./postgres-error.js";

/** Resolves with the response; rejects if it takes too long. */
export function inTime<T>(asked: Promise<T>, ms: number, onLate?: () => void): Promise<T> {
  const late = (): never => {
    onLate?.();
    throw noAnswer();
  };
  return limitTime(asked, ms, late, true);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns text that PostgreSQL can store, and converts booleans to numbers, as on SQLite. */
export function bindable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bindable);
  if (typeof value === "string") return storedText(value);
  return typeof value === "boolean" ? Number(value) : value;
}

import { storedText } from "./database.js";
import { noAnswer } from "./postgres-error.js";

/** What was asked for, or an error once that takes too long. */
export async function inTime<T>(asked: Promise<T>, ms: number, onLate?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate?.();
      reject(noAnswer());
    }, ms);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves after so long. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Text that PostgreSQL can keep, and numbers for what SQLite has no type for. */
export function bindable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bindable);
  if (typeof value === "string") return storedText(value);
  return typeof value === "boolean" ? Number(value) : value;
}

import type { Fact, Failed, Skipped } from "./decision.js";

export const ABSENT: Skipped = Object.freeze({ state: "skipped", why: "absent" });
export const NOT_PUBLIC: Skipped = Object.freeze({ state: "skipped", why: "not_public" });
export const UNUSABLE: Skipped = Object.freeze({ state: "skipped", why: "unusable" });
export const OVERRIDE: Skipped = Object.freeze({ state: "skipped", why: "override" });

/** The fact if code of the application failed to give the identifier. */
export const NOT_GIVEN: Failed = Object.freeze({ state: "failed", fault: "unreadable" });

/**
 * Reads an identifier. An object of the caller is never taken for a fact: it may come from a request
 * and only look like evidence. The one exception is the constant {@link NOT_GIVEN}.
 */
export function factOf(value: unknown): Fact {
  if (value === undefined || value === null || value === "") return ABSENT;
  if (typeof value === "string") return value;
  return value === NOT_GIVEN ? NOT_GIVEN : UNUSABLE;
}

/** Returns the identifier of a fact. */
export function textOf(fact: Fact): string | undefined {
  return typeof fact === "string" ? fact : undefined;
}

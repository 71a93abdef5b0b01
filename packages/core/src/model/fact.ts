import type { Fact, Failed, Skipped } from "./decision.js";

export const ABSENT: Skipped = Object.freeze({ state: "skipped", why: "absent" });
export const NOT_PUBLIC: Skipped = Object.freeze({ state: "skipped", why: "not_public" });
export const UNUSABLE: Skipped = Object.freeze({ state: "skipped", why: "unusable" });
export const OVERRIDE: Skipped = Object.freeze({ state: "skipped", why: "override" });

/** The fact to use if application code fails to provide the identifier. */
export const NOT_GIVEN: Failed = Object.freeze({ state: "failed", fault: "unreadable" });

/**
 * Reads an identifier. A caller's object is never accepted as a fact: it may come from a request
 * and merely look like evidence. The only exception is the constant {@link NOT_GIVEN}.
 */
export function factOf(value: unknown): Fact {
  if (value === undefined || value === null || value === "") return ABSENT;
  if (typeof value === "string") return value;
  return value === NOT_GIVEN ? NOT_GIVEN : UNUSABLE;
}

export function textOf(fact: Fact): string | undefined {
  return typeof fact === "string" ? fact : undefined;
}

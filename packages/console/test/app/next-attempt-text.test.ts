import { describe, expect, it } from "vitest";
import { nextAttemptText } from "../../src/app/next-attempt-text.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

describe("the next attempt", () => {
  it.each([
    ["in 5 minutes", "pending", at(300)],
    ["now", "pending", at(-60)],
    ["", "delivered", null],
    ["", "dead", null],
    ["", "cancelled", null],
  ] as const)("is `%s`", (text, state, nextAttemptAt) => {
    expect(nextAttemptText({ state, nextAttemptAt }, NOW)).toBe(text);
  });
});

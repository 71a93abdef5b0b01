import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "../../src/lookup/retry-after.js";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const date = (ms: number): string => new Date(NOW + ms).toUTCString();

describe("parseRetryAfter", () => {
  it.each<[string | undefined, number | undefined]>([
    ["1", 1000],
    ["0", 0],
    ["60", 60_000],
    ["61", 60_000],
    ["1000000000000000", 60_000],
    ["9".repeat(400), 60_000],
    [date(2000), 2000],
    [date(-2000), 0],
    [date(86_400_000), 60_000],
    [undefined, undefined],
    ["", undefined],
    ["abc", undefined],
    ["abc 1", undefined],
    ["-5", undefined],
    ["+5", undefined],
    ["1.5", undefined],
    ["1e9", undefined],
    ["0x10", undefined],
    ["1, 2", undefined],
    ["Fri, 99 Foo 2026 03:04:05 GMT", undefined],
    ["2026-01-02T03:04:05Z", undefined],
  ])("RSP-10 reads %o as %o", (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });

  it.each([
    ["30", 30_000],
    ["86400", 21_600_000],
    [date(86_400_000), 21_600_000],
  ])("cuts %o to the longest wait that the caller honours", (value, expected) => {
    expect(parseRetryAfter(value, NOW, 21_600_000)).toBe(expected);
  });

  it("RSP-10 is a wait of at most a minute or nothing, whatever is sent", () => {
    const text = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map((value) => value.toUTCString()),
    );
    fc.assert(
      fc.property(text, (value) => {
        const ms = parseRetryAfter(value, NOW);
        return ms === undefined || (ms >= 0 && ms <= 60_000);
      }),
      { numRuns: 1000 },
    );
  });
});

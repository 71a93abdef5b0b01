import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatTimestamp, parseTimestamp } from "../../src/webhook/timestamp.js";

const instant = Date.UTC(2026, 0, 1) * 1000 + 123_456;

describe("parseTimestamp", () => {
  it.each([
    ["2026-01-01T00:00:00.123456+00:00", instant],
    ["2026-01-01T00:00:00+00:00", instant - 123_456],
    ["2026-01-01T00:00:00Z", instant - 123_456],
    ["2026-01-01T00:00:00.1Z", instant - 23_456],
    ["2026-01-01T00:00:00.123456789Z", instant],
    ["2026-01-01T05:30:00.123456+05:30", instant],
    ["2025-12-31T19:00:00.123456-05:00", instant],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29) * 1000],
    ["1969-12-31T23:59:59.999999+00:00", -1],
  ])("PAY-06 reads %s", (text, epochMicros) => {
    const timestamp = parseTimestamp(text);
    expect(timestamp?.epochMicros).toBe(epochMicros);
    expect(timestamp?.date.getTime()).toBe(Math.floor(epochMicros / 1000));
  });

  it.each<[unknown]>([
    ["2026-13-45"],
    ["2026-13-01T00:00:00Z"],
    ["2026-02-30T00:00:00Z"],
    ["2025-02-29T00:00:00Z"],
    ["2026-01-00T00:00:00Z"],
    ["2026-01-01T25:00:00Z"],
    ["2026-01-01T00:60:00Z"],
    ["2026-01-01T00:00:61Z"],
    ["2026-01-01T00:00:00+99:99"],
    ["2026-01-01T00:00:00"],
    ["2026-01-01"],
    ["2026-01-01 00:00:00Z"],
    ["2026-01-01T00:00:00.Z"],
    [" 2026-01-01T00:00:00Z"],
    ["2026-01-01T00:00:00Z\n"],
    ["Thu, 01 Jan 2026 00:00:00 GMT"],
    ["1767225600"],
    [""],
    ["1e20"],
    [1e20],
    [1767225600],
    [NaN],
    [null],
    [undefined],
    [[]],
    [new Date(0)],
  ])("PAY-06 takes %j for no date", (value) => {
    expect(parseTimestamp(value)).toBeUndefined();
  });

  it("gives a real date or nothing for any value, and never throws", () => {
    const near = fc.stringMatching(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,10})?(Z|[+-]\d\d:\d\d)?$/,
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.anything({ maxDepth: 1 })), (value) => {
        const timestamp = parseTimestamp(value);
        if (timestamp) expect(timestamp.date.getTime()).not.toBeNaN();
      }),
      { numRuns: 1000 },
    );
  });
});

describe("formatTimestamp", () => {
  it("writes six digits of fraction and the offset in figures", () => {
    expect(formatTimestamp(instant)).toBe("2026-01-01T00:00:00.123456+00:00");
    expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00.000000+00:00");
    expect(formatTimestamp(-1)).toBe("1969-12-31T23:59:59.999999+00:00");
  });

  it("is undone by parseTimestamp to the microsecond", () => {
    // Up to the year 2255: behind it a number no longer holds each single microsecond.
    const micros = fc.maxSafeInteger();
    fc.assert(
      fc.property(micros, (epochMicros) => {
        const text = formatTimestamp(epochMicros);
        expect(parseTimestamp(text)?.epochMicros).toBe(epochMicros);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
      }),
      { numRuns: 1000 },
    );
  });
});

import { describe, expect, it } from "vitest";
import { countsText, MinuteTally } from "../../src/report/minute-counts.js";

const MINUTE = 60_000;

describe("a tally", () => {
  it("keeps 15 minutes, and says what it forgets", () => {
    const tally = new MinuteTally();
    for (let minute = 0; minute < 15; minute++) {
      expect(tally.add("http4xx", 2, minute * MINUTE)).toBe(0);
    }
    expect(tally.add("http4xx", 1, 15 * MINUTE)).toBe(2);
    expect(tally.total).toBe(29);
    expect(tally.take()).toEqual({ minute: 1, counts: { http4xx: 2 } });
  });

  it("puts a minute back in its place", () => {
    const tally = new MinuteTally();
    tally.add("http4xx", 1, 0);
    tally.add("http4xx", 2, MINUTE);
    tally.restore(tally.take()!);
    expect(tally.take()).toEqual({ minute: 0, counts: { http4xx: 1 } });
    const taken = tally.take()!;
    tally.add("http4xx", 3, MINUTE + 1);
    tally.add("http5xx", 1, MINUTE + 1);
    tally.restore(taken);
    expect(tally.take()).toEqual({ minute: 1, counts: { http4xx: 5, http5xx: 1 } });
    expect(tally.total).toBe(0);
  });
});

describe("the text of a minute", () => {
  it("is a sample of the service", () => {
    expect(countsText({ minute: 29_453_760, counts: { failedLogins: 2 } })).toBe(
      '{"failedLogins":2,"at":"2026-01-01T00:00:00.000Z"}',
    );
  });
});

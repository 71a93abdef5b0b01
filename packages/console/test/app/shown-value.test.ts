import { describe, expect, it } from "vitest";
import {
  shownBytes,
  shownDuration,
  shownStep,
  shownTick,
  shownTime,
  targetsOf,
} from "../../src/app/shown-value.js";

describe("values as they are shown", () => {
  it.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1_000, "1.00 kB"],
    [5_242_880, "5.24 MB"],
    [3e14, "300 TB"],
  ])("are bytes: %d", (bytes, shown) => {
    expect(shownBytes(bytes)).toBe(shown);
  });

  it.each([
    [0, "0 milliseconds"],
    [1_000, "1 second"],
    [3_599_999, "59 minutes"],
    [172_800_000, "2 days"],
  ])("are durations: %d", (ms, shown) => {
    expect(shownDuration(ms)).toBe(shown);
  });

  it.each([
    ["2026-01-31T12:00:05.000000+00:00", "2026-01-31 12:00:05 UTC"],
    ["2026-01-31T23:59:59.999999-01:00", "2026-02-01 00:59:59 UTC"],
  ])("are times with their zone: %s", (timestamp, shown) => {
    expect(shownTime(timestamp)).toBe(shown);
  });

  it("are times on an axis, with the day where one begins", () => {
    const midnight = Date.parse("2026-01-31T00:00:00Z");
    expect([midnight, midnight + 5_400_000].map(shownTick)).toEqual(["31 Jan", "01:30"]);
    expect(shownStep(midnight + 5_400_000)).toBe("31 Jan 01:30 UTC");
  });

  it("are the targets of a response, none once it was erased", () => {
    const times = { createdAt: "", endsAt: "" };
    const properties = {
      ips: [{ ip_cidr: "192.0.2.7/32" }],
      user_identifiers: [{ email: "a@x.y" }],
    };
    expect(targetsOf({ ...times, payload: { properties } })).toEqual(["192.0.2.7/32", "a@x.y"]);
    expect(targetsOf({ ...times, payload: {} })).toEqual([]);
  });
});

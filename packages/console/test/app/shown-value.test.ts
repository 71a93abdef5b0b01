import { describe, expect, it } from "vitest";
import { shownBytes, shownDuration, shownTime, targetsOf } from "../../src/app/shown-value.js";

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

  it("are times of this machine, or nothing", () => {
    expect(shownTime("2026-01-31T12:00:05.000000+00:00")).toMatch(/^2026-0[12]-\d\d \d\d:\d\d:05$/);
    expect(shownTime(null)).toBe("");
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

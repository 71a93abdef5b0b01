import { describe, expect, it } from "vitest";
import type { RecordedEvent, RecordedIncident } from "@riskgate/api-types";
import { blockedText } from "../../src/app/blocked-text.js";

const BLOCKED = { event_kind: "xss", blocked: true };
const PASSED = { event_kind: "xss" };
const ERASED = {};

describe("how many requests of an incident were stopped", () => {
  it.each([
    [true, [BLOCKED, BLOCKED], false, "All requests were stopped"],
    [true, [BLOCKED], false, "The request was stopped"],
    [true, [], false, "All requests were stopped"],
    [true, [BLOCKED], true, "All requests were stopped"],
    [false, [PASSED, PASSED], false, "No request was stopped"],
    [false, [BLOCKED, PASSED, PASSED], false, "Stopped for 1 of 3 events"],
    // One event more than at the last delivery.
    [true, [PASSED, BLOCKED], false, "Stopped for 1 of 2 events"],
    [false, [BLOCKED, BLOCKED], true, "Stopped for 2 of the newest 2 events"],
    [false, [PASSED, PASSED], true, "Stopped for 0 of the newest 2 events"],
    [false, [ERASED, PASSED], false, "Stopped for 0 of 1 event on record"],
    [false, [], false, "Not known"],
    [undefined, [ERASED], false, "Not known"],
  ])("payload %s, events %j, partial %s: %s", (all, payloads, isPartial, shown) => {
    const incident = {
      payload: { ...(all !== undefined && { blocked: all }) },
    } as object as RecordedIncident;
    const events = payloads.map((payload) => ({ payload }) as object as RecordedEvent);
    expect(blockedText({ incident, events, isPartial })).toBe(shown);
  });
});

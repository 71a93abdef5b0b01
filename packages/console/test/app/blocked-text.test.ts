import { describe, expect, it } from "vitest";
import type { RecordedEvent, RecordedIncident } from "@riskgate/api-types";
import { blockedText } from "../../src/app/blocked-text.js";

const BLOCKED = { event_kind: "xss", blocked: true };
const PASSED = { event_kind: "xss" };
const ERASED = {};

describe("how much of an incident was blocked", () => {
  it.each([
    [true, [BLOCKED, BLOCKED], false, "all of it"],
    [true, [], false, "all of it"],
    [true, [BLOCKED], true, "all of it"],
    [false, [PASSED, PASSED], false, "nothing"],
    [false, [BLOCKED, PASSED, PASSED], false, "1 of 3 events"],
    // One event more than at the last delivery.
    [true, [PASSED, BLOCKED], false, "1 of 2 events"],
    [false, [BLOCKED, BLOCKED], true, "2 of the newest 2 events"],
    [false, [PASSED, PASSED], true, "0 of the newest 2 events"],
    [false, [ERASED, PASSED], false, "0 of 1 event on record"],
    [false, [], false, "not known"],
    [undefined, [ERASED], false, "not known"],
  ])("payload %s, events %j, partial %s: %s", (all, payloads, isPartial, shown) => {
    const incident = {
      payload: { ...(all !== undefined && { blocked: all }) },
    } as object as RecordedIncident;
    const events = payloads.map((payload) => ({ payload }) as object as RecordedEvent);
    expect(blockedText({ incident, events, isPartial })).toBe(shown);
  });
});

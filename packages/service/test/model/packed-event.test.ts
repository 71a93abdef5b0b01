import { describe, expect, it } from "vitest";
import { composeEvent } from "../../src/detection/events/event.js";
import { readEvent } from "../../src/detection/events/read-event.js";
import { packEvent, unpackEvent } from "../../src/model/packed-event.js";
import type { Located } from "../../src/model/place.js";
import { START } from "../support/open-intake.js";

const application = { id: "292ee8cf20a15d74a679a94d", name: "Shop", environment: "production" };
const located: Located = { geo: { city: "Paris", code: "FRA", point: [2, 48] }, isTor: true };
const compose = (event: object) =>
  composeEvent(readEvent(event, START), {
    application,
    dashboardUrl: "https://dashboard.example",
    providerRules: true,
    locate: (ip) => (ip === "8.8.8.8" ? located : { geo: {}, isTor: false }),
  });

describe("packEvent", () => {
  it.each([
    ["without addresses", { event_kind: "xss" }],
    [
      "with everything",
      {
        event_id: "e/1",
        event_kind: "waf",
        event_category: "firewall",
        date_occurred: "2025-12-31T23:59:59.123456+00:00",
        application_account_account_keys: [{ name: "email", value: "ada@shop.example" }],
        ips: [
          { address: "8.8.8.8" },
          { address: "1.1.1.1", date_resolved: "2025-12-31T23:00:00Z" },
          "9.9.9.9",
        ],
        user_agent: "sqlmap/1.8",
        blocked: true,
        risk: 90,
      },
    ],
  ])("leaves out what unpackEvent adds again: an event %s", (_, reported) => {
    const event = compose(reported);
    const packed = JSON.parse(packEvent(event)) as Record<string, unknown>;
    const entry = { ...event, applicationId: application.id, eventId: event.id };
    expect(unpackEvent(packed, entry)).toEqual(event.payload);
    const [bytes = 0, all = 0] = [packed, event.payload].map((one) => JSON.stringify(one).length);
    expect(all - bytes).toBeGreaterThan(200);
  });

  it("leaves an erased payload empty, and one from before as it is", () => {
    const entry = { ...compose({ event_kind: "xss" }), applicationId: "a", eventId: "b" };
    expect(unpackEvent({}, entry)).toEqual({});
    expect(unpackEvent({ event_id: "other" }, entry)).toEqual({ event_id: "other" });
  });
});

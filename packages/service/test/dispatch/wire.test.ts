import { parseDelivery } from "@riskgate/core";
import { payloads } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { testPayload } from "../../src/dispatch/test-payload.js";
import { toWire } from "../../src/dispatch/wire.js";

describe("toWire", () => {
  it("gives a security event both spellings of id and URL, and a risk", () => {
    const event = payloads.securityEvent();
    expect(toWire(event)).toEqual({
      ...event,
      id: event.event_id,
      url: event.event_url,
      risk: 25,
    });
  });

  it.each([
    ["from the short spelling", { id: "a", url: "b", risk: 42 }],
    ["from the long spelling", { event_id: "a", event_url: "b", risk: 42 }],
  ])("completes the spellings %s", (_, members) => {
    expect(toWire({ service_payload_type: "security_event", ...members })).toEqual({
      service_payload_type: "security_event",
      id: "a",
      event_id: "a",
      url: "b",
      event_url: "b",
      risk: 42,
    });
  });

  it("invents no id", () => {
    expect(toWire({ service_payload_type: "security_event", risk: 0 })).toEqual({
      service_payload_type: "security_event",
      risk: 0,
    });
  });

  it.each([payloads.incident(), payloads.securityResponse(), payloads.test()])(
    "leaves $service_payload_type as it is",
    (payload) => {
      expect(toWire(payload)).toBe(payload);
    },
  );

  it("changes nothing for a receiver that reads either spelling", () => {
    const event = payloads.securityEvent();
    const [element] = parseDelivery(JSON.stringify([toWire(event)])).elements;
    expect(element).toMatchObject({ type: "security_event", payload: event, dropped: [] });
  });
});

describe("testPayload", () => {
  it("has every member that was seen in one", () => {
    const id = "0".repeat(32);
    const application = { id: "5f1e7c0a9b3d4e2f8a6c1d70", name: "Shop" };
    expect(testPayload(application, id, 1_767_225_600_123_456)).toEqual({
      service_payload_type: "test",
      application_id: application.id,
      application_name: "Shop",
      environment: "development",
      id,
      event_category: "test",
      event_kind: "test_kind",
      risk: 42,
      date_occurred: "2026-01-01T00:00:00.123456+00:00",
      humanized_description: "",
      url: "http://test",
      ips: [{ address: "42.42.42.42", date_resolved: "2026-01-01T00:00:00.123456+00:00", geo: {} }],
    });
  });
});

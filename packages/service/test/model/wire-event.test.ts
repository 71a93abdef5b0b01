import { parseDelivery } from "@riskgate/core";
import { payloads } from "@riskgate/testing";
import { describe, expect, it } from "vitest";
import { wireEvent } from "../../src/model/wire-event.js";

describe("wireEvent", () => {
  it("gives a security event both spellings of id and URL, and a risk", () => {
    const event = payloads.securityEvent();
    expect(wireEvent(event)).toEqual({
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
    expect(wireEvent({ service_payload_type: "security_event", ...members })).toEqual({
      service_payload_type: "security_event",
      id: "a",
      event_id: "a",
      url: "b",
      event_url: "b",
      risk: 42,
    });
  });

  it("invents no id", () => {
    expect(wireEvent({ service_payload_type: "security_event", risk: 0 })).toEqual({
      service_payload_type: "security_event",
      risk: 0,
    });
  });

  it("changes nothing for a receiver that reads either spelling", () => {
    const event = payloads.securityEvent();
    const [element] = parseDelivery(JSON.stringify([wireEvent(event)])).elements;
    expect(element).toMatchObject({ type: "security_event", payload: event, dropped: [] });
  });
});

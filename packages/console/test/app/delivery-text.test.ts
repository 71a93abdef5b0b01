import { describe, expect, it } from "vitest";
import { deliveryText } from "../../src/app/delivery-text.js";

const event = { service_payload_type: "security_event" };
const incident = { service_payload_type: "pulse" };

describe("the content of a delivery", () => {
  it.each([
    [" of 1 event", [event]],
    [" of 2 events and 1 incident", [event, incident, event]],
    [" of 1 event, 1 incident, 1 payload", [event, incident, {}]],
  ])("is described as%s", (text, payloads) => {
    expect(deliveryText(JSON.stringify(payloads))).toBe(text);
  });

  it("is left out if it was erased or is not loaded", () => {
    expect(deliveryText(null)).toBe("");
    expect(deliveryText(undefined)).toBe("");
  });
});

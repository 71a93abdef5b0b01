import { describe, expect, it } from "vitest";
import { parseDelivery } from "../../src/webhook/parse-delivery.js";
import { testPayload } from "../../src/webhook/test-payload.js";

const SENDER = { id: "5f1e7c0a9b3d4e2f8a6c1d70", name: "Shop" };
const ID = "0123456789abcdef0123456789abcdef";

describe("testPayload", () => {
  it("has every member that has been seen in one", () => {
    const date = "2026-01-01T00:00:00.123456+00:00";
    expect(testPayload(SENDER, ID, 1_767_225_600_123_456)).toStrictEqual({
      service_payload_type: "test",
      application_id: SENDER.id,
      application_name: "Shop",
      environment: "development",
      id: ID,
      event_category: "test",
      event_kind: "test_kind",
      risk: 42,
      date_occurred: date,
      humanized_description: "",
      url: "http://test",
      ips: [{ address: "42.42.42.42", date_resolved: date, geo: {} }],
    });
  });

  it("is delivered without anything to leave out", () => {
    const [element] = parseDelivery(JSON.stringify([testPayload(SENDER, ID, 0)])).elements;
    expect(element).toMatchObject({ type: "test", payload: { id: ID }, dropped: [] });
  });
});

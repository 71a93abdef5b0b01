import { describe, expect, it } from "vitest";
import { testPayload } from "../../src/dispatch/test-payload.js";

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

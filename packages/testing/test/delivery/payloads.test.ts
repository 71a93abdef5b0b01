import { parseDelivery } from "@riskgate/core";
import { parseTimestamp } from "@riskgate/core/payloads";
import { describe, expect, it } from "vitest";
import { createPayloads, payloads } from "../../src/delivery/payloads.js";

const make = (seed: number | string) => {
  const { securityEvent, incident, securityResponse, test } = createPayloads(seed);
  return [securityEvent(), incident(), securityResponse(), test()];
};

describe("payloads", () => {
  it("are payloads that need no repair", () => {
    const { elements, ignored } = parseDelivery(JSON.stringify(make(1).slice(0, 3)));
    expect(ignored).toEqual([]);
    expect(elements.map(({ type }) => type)).toEqual([
      "security_event",
      "pulse",
      "security_response",
    ]);
    for (const { payload, raw, dropped } of elements) {
      expect(dropped).toEqual([]);
      expect(payload).toBe(raw);
    }
    const { elements: tests } = parseDelivery(JSON.stringify([payloads.test()]));
    expect(tests[0]).toMatchObject({ type: "test", dropped: [] });
  });

  it("have the members of the specification", () => {
    expect(Object.keys(payloads.securityEvent()).sort()).toEqual([
      "application_account_account_keys",
      "application_id",
      "application_name",
      "date_occurred",
      "environment",
      "event_category",
      "event_id",
      "event_kind",
      "event_url",
      "humanized_description",
      "ips",
      "service_payload_type",
    ]);
    expect(Object.keys(payloads.incident())).toHaveLength(18);
    expect(Object.keys(payloads.securityResponse())).toHaveLength(6);
  });

  it("have an id and a time of their own", () => {
    const { securityEvent } = createPayloads(2);
    const events = Array.from({ length: 100 }, () => securityEvent());
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(100);
    const times = events.map(({ date_occurred }) => parseTimestamp(date_occurred)?.epochMicros);
    expect(times[1]! - times[0]!).toBe(1_000_000);
    expect(events[0]?.date_occurred).toMatch(/\.\d{6}\+00:00$/);
  });

  it("are the same for the same seed", () => {
    expect(make("a")).toEqual(make("a"));
    expect(make("a")).not.toEqual(make("b"));
  });

  it("take what is given in place of a default", () => {
    const event = payloads.securityEvent({ event_kind: "xss", event_id: "e1", later: true });
    expect(event).toMatchObject({ event_kind: "xss", event_id: "e1", later: true });
  });
});

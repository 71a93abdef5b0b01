import fc from "fast-check";
import { expect, it } from "vitest";
import { isCleanEvent } from "../../src/webhook/clean-event.js";
import { readPayload } from "../../src/webhook/payload-schema.js";

const CLEAN = {
  service_payload_type: "security_event",
  application_id: "5f1e7c0a9b3d4e2f8a6c1d70",
  application_name: "Shop",
  environment: "production",
  application_account_account_keys: [{ name: "email", value: "ada@shop.example" }],
  date_occurred: "2026-01-01T00:00:00.123456+00:00",
  event_category: "authentication",
  event_kind: "auth_bruteforce",
  event_id: "1",
  event_url: "https://dashboard.example/events/1",
  humanized_description: "Many passwords were tried",
  risk: 12,
};
const IP = { address: "203.0.113.7", date_resolved: CLEAN.date_occurred, is_tor: false };
const GEO = { city: "Paris", code: "FRA", point: [2.35, 48.85] };
const ODD = ["", "a b", null, 0, Infinity, true, [], [1, 2], [200, 0], {}, undefined] as const;

/** Replaces one member at random, or adds one in another spelling. */
const change = <T extends object>(object: T, others: readonly string[] = []) =>
  fc
    .record({
      name: fc.constantFrom(...Object.keys(object), ...others),
      value: fc.constantFrom(...ODD),
      isChanged: fc.boolean(),
    })
    .map(({ name, value, isChanged }) => (isChanged ? { ...object, [name]: value } : object));

it("finds an event clean only if the table has nothing to repair", () => {
  const geo = change(GEO);
  const ip = fc
    .tuple(change({ ...IP, geo: GEO }, ["country_code", "city", "geo_longitude"]), geo)
    .map(([one, inner]) => ("geo" in one && one.geo === GEO ? { ...one, geo: inner } : one));
  const others = ["risk_coefficient", "date_occured", "id", "url", "user_agent"];
  const events = fc.tuple(change({ ...CLEAN, ips: [IP] }, others), ip).map(([event, only]) => {
    return event.ips?.[0] === IP ? { ...event, ips: [only] } : event;
  });
  let clean = 0;
  fc.assert(
    fc.property(events, (event) => {
      const dropped: string[] = [];
      // The type under another name makes the table read the event, and changes nothing else.
      const other = { ...event, service_payload_type: "event" };
      const read = readPayload("security_event", other, dropped);
      if (!isCleanEvent(event)) return;
      clean++;
      expect([read, dropped]).toEqual([event, []]);
    }),
    { numRuns: 2_000 },
  );
  expect(clean).toBeGreaterThan(100);
  expect(isCleanEvent({ ...CLEAN, ips: [{ ...IP, geo: GEO }] })).toBe(true);
});

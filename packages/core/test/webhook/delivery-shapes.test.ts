import { describe, expect, it } from "vitest";
import { parseDelivery } from "../../src/webhook/parse-delivery.js";
import { parseTimestamp } from "../../src/webhook/timestamp.js";

const DATE = "2026-03-04T05:06:07.080910+00:00";
const event = (members: object): object => ({ service_payload_type: "security_event", ...members });
const ip = (members: object): object => event({ ips: [{ address: "1.2.3.4", ...members }] });
const response = (members: object): object => ({
  service_payload_type: "security_response",
  ...members,
});
const geoOf = (geo: object): object => ({ ips: [{ address: "1.2.3.4", geo }] });

/** Shapes that real deliveries have, and what a handler sees of each. */
const SHAPES: readonly (readonly [label: string, raw: object, seen: object])[] = [
  ["1 id and url", event({ id: "a", url: "u" }), { event_id: "a", event_url: "u" }],
  ["1 event_id and event_url", event({ event_id: "a", event_url: "u" }), { event_id: "a" }],
  ["1 both spellings", event({ id: "b", event_id: "a" }), { id: "b", event_id: "a" }],
  ["1 neither spelling", event({}), { service_payload_type: "security_event" }],
  ["1 date_occured", event({ date_occured: DATE }), { date_occurred: DATE }],
  ["1 risk", event({ risk: 25 }), { risk: 25 }],
  ["1 risk_coefficient", event({ risk_coefficient: 42 }), { risk: 42 }],
  ["2 no ips", event({}), { ips: [] }],
  ["2 empty ips", event({ ips: [] }), { ips: [] }],
  ["2 an address without geo", ip({}), geoOf({})],
  ["2 an empty geo", ip({ geo: {} }), geoOf({})],
  ["2 a geo without a city", ip({ geo: { code: "FRA" } }), geoOf({ code: "FRA" })],
  ["2 a city that is null", ip({ geo: { code: "FRA", city: null } }), geoOf({ code: "FRA" })],
  ["2 no is_tor", ip({ date_resolved: DATE }), { ips: [{ date_resolved: DATE }] }],
  [
    "2 unknown members",
    ip({ hostname: "h", vpn: true, metadata: { version: 4, private: false }, tags: [] }),
    { ips: [{ hostname: "h", vpn: true, metadata: { version: 4, private: false }, tags: [] }] },
  ],
  [
    "2 the flat spelling",
    ip({
      format: "v4",
      country_code: "FRA",
      city: "Paris",
      geo_longitude: 2.3,
      geo_latitude: 48.9,
    }),
    { ips: [{ format: "v4", geo: { code: "FRA", city: "Paris", point: [2.3, 48.9] } }] },
  ],
  [
    "3 nulls of an incident",
    { service_payload_type: "pulse", id: null, pulse_category: null, date_ended: null },
    { service_payload_type: "pulse" },
  ],
  [
    "3 counters of 0 and empty words",
    { service_payload_type: "pulse", accounts_count: 0, humanized_accounts: "" },
    { accounts_count: 0, humanized_accounts: "" },
  ],
  ["4 a response whose id is null", response({ id: null }), { properties: { ips: [] } }],
  [
    "4 addresses with and without a length",
    response({ properties: { ips: [{ ip_cidr: "1.2.3.4" }, { ip_cidr: "1.2.3.0/24" }] } }),
    { properties: { ips: [{ ip_cidr: "1.2.3.4" }, { ip_cidr: "1.2.3.0/24" }] } },
  ],
  [
    "4 identifiers of any form",
    response({ properties: { user_identifiers: ["a@x.y", { email: "b@x.y" }, { uid: 7 }] } }),
    { properties: { user_identifiers: ["a@x.y", { email: "b@x.y" }, { uid: 7 }] } },
  ],
  ["5 nothing but the type", { service_payload_type: "test" }, { ips: [] }],
  [
    "5 a full test payload",
    {
      service_payload_type: "test",
      application_id: "5".repeat(24),
      application_name: "shop",
      environment: "development",
      id: "0f".repeat(16),
      event_category: "test",
      event_kind: "test_kind",
      risk: 42,
      date_occurred: DATE,
      humanized_description: "",
      url: "http://test",
      ips: [{ address: "42.42.42.42", date_resolved: DATE }],
    },
    { event_kind: "test_kind", event_id: "0f".repeat(16), ips: [{ address: "42.42.42.42" }] },
  ],
  [
    "6 a brute-force kind with a space",
    event({ event_kind: "auth_ bruteforce_success", environment: "development" }),
    { event_kind: "auth_bruteforce_success", environment: "development" },
  ],
  ["6 a new genre", { service_payload_type: "pulse", pulse_genre: "g" }, { pulse_genre: "g" }],
  [
    "11 opaque ids and links",
    { service_payload_type: "pulse", id: "ab".repeat(32), url: "https://d/pulses/1" },
    { id: "ab".repeat(32), url: "https://d/pulses/1" },
  ],
];

describe("deliveries seen in the field", () => {
  it.each(SHAPES)("accept %s", (_, raw, seen) => {
    const { elements, ignored } = parseDelivery(JSON.stringify([raw]));
    expect(ignored).toEqual([]);
    expect(elements).toMatchObject([{ payload: seen, dropped: [] }]);
    const members = Object.values(elements[0]?.payload ?? {});
    expect(members.filter((member) => member === null)).toEqual([]);
  });

  it.each([
    ["6 the kind waf", event({ event_kind: "waf" }), "unknown_kind"],
    ["6 the category test", event({ event_category: "test" }), "unknown_category"],
    ["7 an unknown type", { service_payload_type: "audit" }, "unknown_type"],
  ])("report %s and accept the others", (_, raw, reason) => {
    const good = { service_payload_type: "test" };
    const { elements, ignored } = parseDelivery(JSON.stringify([good, raw, good]));
    expect(elements.map(({ index }) => index)).toEqual([0, 2]);
    expect(ignored).toMatchObject([{ index: 1, reason }]);
  });

  it("accept 8 the style of another JSON writer", () => {
    const text =
      '[{"url": "u", "service_payload_type": "test", "note": "h\\u00e9 \\"q\\" \u2665", "risk": 0.5}]';
    for (const body of [text, Buffer.from(text)]) {
      expect(parseDelivery(body).elements).toMatchObject([
        { payload: { note: 'h\u00e9 "q" \u2665', event_url: "u", risk: 0.5 } },
      ]);
    }
  });

  it("accept 9 timestamps with six digits", () => {
    expect(parseTimestamp(DATE)?.epochMicros).toBe(Date.UTC(2026, 2, 4, 5, 6, 7) * 1000 + 80_910);
  });

  it("accept 10 a thousand events with ten addresses each", () => {
    const geo = { city: "Paris", code: "FRA", point: [2.35, 48.85] };
    const ips = Array.from({ length: 10 }, (_, n) => ({
      address: `203.0.113.${n}`,
      date_resolved: DATE,
      geo,
      is_tor: false,
    }));
    const events = Array.from({ length: 1000 }, (_, n) => event({ id: `${n}`, ips }));
    const { elements } = parseDelivery(JSON.stringify(events));
    expect(elements).toHaveLength(1000);
    expect(elements.every(({ payload, dropped }) => "ips" in payload && !dropped.length)).toBe(
      true,
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInDeliveredForm } from "../../src/webhook/delivered-form.js";
import type { RawObject } from "../../src/webhook/raw-object.js";
import { repairPayload } from "../../src/webhook/repair-payload.js";
import { PAYLOAD_TYPES, type PayloadType } from "../../src/webhook/vocabulary.js";
import { payloadLikeJson, payloadLikeObject } from "../support/arbitrary-json.js";

const DATE = "2026-01-01T00:00:00.123456+00:00";
const APPLICATION = { application_id: "a", application_name: "Shop", environment: "production" };

/** One payload of each type with every member it is stated to have. */
const FULL: Readonly<Record<PayloadType, RawObject>> = {
  security_event: {
    service_payload_type: "security_event",
    ...APPLICATION,
    event_id: "e",
    event_kind: "auth_bruteforce",
    event_category: "authentication",
    event_url: "https://dashboard.example/e",
    date_occurred: DATE,
    humanized_description: "",
    risk: 42,
    ips: [
      {
        address: "203.0.113.7",
        date_resolved: DATE,
        geo: { city: "Paris", code: "FRA", point: [2.35, 48.85] },
        is_tor: false,
      },
    ],
    application_account_account_keys: [{ name: "email", value: "ada@shop.example" }],
  },
  test: {
    service_payload_type: "test",
    ...APPLICATION,
    event_id: "t",
    id: "t",
    event_kind: "test_kind",
    event_category: "test",
    event_url: "http://test",
    date_occurred: DATE,
    humanized_description: "",
    risk: 42,
    ips: [{ address: "192.0.2.42", date_resolved: DATE, geo: {} }],
  },
  pulse: {
    service_payload_type: "pulse",
    ...APPLICATION,
    pulse_genre: "account_enumeration",
    pulse_category: "Security events",
    date_started: DATE,
    date_ended: DATE,
    humanized_title: "Accounts enumerated",
    humanized_accounts: "",
    humanized_geos: "Paris, France",
    blocked: false,
    id: "p",
    url: "https://dashboard.example/p",
    incidents_count: 12,
    user_agents_count: 2,
    ip_addresses_count: 1,
    accounts_count: 3,
  },
  security_response: {
    service_payload_type: "security_response",
    id: "r",
    date_created: DATE,
    application: { name: "Shop", environment: "production", id: "a" },
    properties: { ips: [{ ip_cidr: "203.0.113.7/32" }], user_identifiers: ["u", { email: "e" }] },
    playbook: { name: "Block", id: "b" },
  },
};

/** As it is asked: for the type that the payload says. */
function isDelivered(type: PayloadType, raw: RawObject): boolean {
  return raw.service_payload_type === type && isInDeliveredForm(type, raw);
}

function isRepaired(type: PayloadType, raw: RawObject): boolean {
  const { payload, dropped } = repairPayload(type, raw);
  return payload !== raw || dropped.length > 0;
}

/** A copy in which one member, at any depth, is another value or missing. */
function changed(value: unknown, choose: (count: number) => number, other: unknown): unknown {
  if (typeof value !== "object" || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[choose(keys.length + 1)];
  if (key === undefined) return other;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as {
    [key: string]: unknown;
  };
  const inner = choose(2) === 0 ? other : changed(copy[key], choose, other);
  if (inner === undefined && !Array.isArray(value)) delete copy[key];
  else copy[key] = inner;
  return copy;
}

describe("isInDeliveredForm", () => {
  it.each(PAYLOAD_TYPES)("recognises a full %s, and one with the fewest members", (type) => {
    expect(isDelivered(type, FULL[type])).toBe(true);
    const raw = { service_payload_type: type };
    const { payload } = repairPayload(type, raw);
    expect(isDelivered(type, payload as unknown as RawObject)).toBe(true);
  });

  it.each(PAYLOAD_TYPES)("recognises no %s in which a stated member is of another type", (type) => {
    for (const name of Object.keys(FULL[type])) {
      for (const value of [null, [], [7], Symbol(name)]) {
        expect(isDelivered(type, { ...FULL[type], [name]: value })).toBe(
          !isRepaired(type, { ...FULL[type], [name]: value }),
        );
      }
    }
  });

  it("says of nothing that needs repair that it needs none", () => {
    const near = fc
      .tuple(
        fc.constantFrom<PayloadType>(...PAYLOAD_TYPES),
        fc.infiniteStream(fc.nat()),
        fc.option(payloadLikeJson, { nil: undefined }),
      )
      .map(([type, numbers, other]) => {
        const choose = (count: number): number => (numbers.next().value as number) % count;
        return [type, changed(FULL[type], choose, other)] as const;
      });
    const far = fc.tuple(fc.constantFrom<PayloadType>(...PAYLOAD_TYPES), payloadLikeObject);
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: near }, far), ([type, value]) => {
        if (typeof value !== "object" || value === null || Array.isArray(value)) return;
        const raw = value as RawObject;
        if (isDelivered(type, raw)) expect(isRepaired(type, raw)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it("sends every other spelling to the table", () => {
    const spellings: RawObject[] = [
      { id: "a", event_id: undefined },
      { url: "u", event_url: undefined },
      { date_occured: DATE, date_occurred: undefined },
      { risk_coefficient: 7, risk: undefined },
      { event_kind: "auth_ bruteforce" },
      { ips: [{ address: "1.2.3.4", geo: {}, country_code: "FRA" }] },
      { ips: [{ address: "1.2.3.4", geo: {}, city: "Paris" }] },
      { ips: [{ address: "1.2.3.4", geo: {}, geo_longitude: 2, geo_latitude: 48 }] },
      { service_payload_type: undefined },
    ];
    for (const members of spellings) {
      const raw = { ...FULL.security_event, ...members };
      expect([members, isDelivered("security_event", raw)]).toEqual([members, false]);
      expect(isRepaired("security_event", raw)).toBe(true);
    }
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Incident, SecurityEvent, SecurityResponse } from "../../src/model/payload.js";
import { coordinatesOf, type Payload } from "../../src/model/payload.js";
import { readPayload } from "../../src/webhook/payload-schema.js";
import { isRawObject, type RawObject } from "../../src/model/raw-object.js";
import { PAYLOAD_TYPES, type PayloadType } from "../../src/model/vocabulary.js";
import { payloadLikeJson, payloadLikeObject } from "../support/arbitrary-json.js";
import { mistypedMembers } from "../support/payload-types.js";

/** The payload that is read from an element, with the paths of what was left out. */
function read(type: PayloadType, raw: RawObject): { payload: Payload; dropped: string[] } {
  const dropped: string[] = [];
  return { payload: readPayload(type, raw, dropped), dropped };
}

const event = (raw: object): SecurityEvent =>
  read("security_event", { service_payload_type: "security_event", ...raw })
    .payload as SecurityEvent;
const droppedFrom = (raw: object): readonly string[] =>
  read("security_event", { service_payload_type: "security_event", ...raw }).dropped;
const firstIp = (ip: object): SecurityEvent["ips"][number] | undefined =>
  event({ ips: [{ address: "1.2.3.4", ...ip }] }).ips[0];

const DATE = "2026-01-01T00:00:00.123456+00:00";
const OTHER = "2027-01-01T00:00:00.123456+00:00";

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
  // A list in JSON has no gaps.
  else copy[key] = inner ?? null;
  return copy;
}

describe("readPayload", () => {
  it.each([
    ["date_occurred", "date_occured", DATE, OTHER],
    ["event_id", "id", "a", "b"],
    ["event_url", "url", "http://a", "http://b"],
    ["risk", "risk_coefficient", 25, 50],
  ])("PAY-01 reads %s in either spelling", (name, alias, value, other) => {
    const member = (raw: object): unknown => event(raw)[name];
    expect(member({ [name]: value })).toBe(value);
    expect(member({ [alias]: value })).toBe(value);
    expect(member({ [alias]: other, [name]: value })).toBe(value);
    expect(member({ [name]: null, [alias]: value })).toBe(value);
    expect(member({ [name]: {}, [alias]: value })).toBe(value);
    expect(member({})).toBeUndefined();
  });

  it("PAY-01 reads the location in either spelling", () => {
    const nested = { geo: { city: "Paris", code: "FRA", point: [2.35, 48.85] } };
    const flat = { city: "Paris", country_code: "FRA", geo_longitude: 2.35, geo_latitude: 48.85 };
    expect(firstIp(nested)?.geo).toEqual(nested.geo);
    expect(firstIp(flat)?.geo).toEqual(nested.geo);
    expect(firstIp({ ...flat, country_code: "DEU", ...nested })?.geo).toEqual(nested.geo);
    expect(firstIp({})?.geo).toEqual({});
    expect(firstIp({ city: 0 })?.geo).toStrictEqual({});
    const both = { geo: { city: "Paris" }, city: "Lyon" };
    expect(firstIp(both)?.geo).toBe(both.geo);
    expect(firstIp({ city: "Paris" })?.geo).toStrictEqual({ city: "Paris" });
  });

  it.each(PAYLOAD_TYPES)("PAY-01 leaves the input of a %s unchanged", (type) => {
    fc.assert(
      fc.property(payloadLikeObject, (raw) => {
        const before = structuredClone(raw);
        freezeDeep(raw);
        read(type, raw);
        expect(raw).toEqual(before);
      }),
      { numRuns: 250 },
    );
  });

  it("PAY-02 keeps unknown members at every level", () => {
    const raw = {
      service_payload_type: "security_event",
      extra: { a: 1 },
      id: "a",
      ips: [{ address: "1.2.3.4", extra: 2, is_tor: "?", geo: { extra: 3, city: null } }],
      application_account_account_keys: [{ name: "id", value: "7", extra: 4 }],
    };
    expect(event(raw)).toEqual({
      service_payload_type: "security_event",
      extra: { a: 1 },
      id: "a",
      event_id: "a",
      ips: [{ address: "1.2.3.4", extra: 2, geo: { extra: 3 } }],
      application_account_account_keys: [{ name: "id", value: "7", extra: 4 }],
    });
    const { payload } = read("security_response", {
      service_payload_type: "security_response",
      properties: { extra: 1, ips: [{ ip_cidr: "1.2.3.4/32", extra: 2 }], user_identifiers: [] },
      playbook: { extra: 3 },
    });
    expect(payload).toMatchObject({
      properties: { extra: 1, ips: [{ extra: 2 }] },
      playbook: { extra: 3 },
    });
  });

  it.each([
    ["auth_ bruteforce", "auth_bruteforce"],
    ["auth_bruteforce ", "auth_bruteforce"],
    ["auth_ bruteforce _success", "auth_bruteforce_success"],
    ["\tauth_bruteforce\n", "auth_bruteforce"],
    ["waf", "waf"],
  ])("PAY-03 reads the kind %j as %s", (given, kind) => {
    expect(event({ event_kind: given }).event_kind).toBe(kind);
  });

  it.each<[string, unknown, number, readonly string[]]>([
    ["null", null, 0, []],
    ["missing", undefined, 0, []],
    ["an object", {}, 0, ["ips"]],
    ["text", "x", 0, ["ips"]],
    ["[null]", [null], 0, ["ips[0]"]],
    ["[{}]", [{}], 0, ["ips[0]"]],
    ["[[]]", [[]], 0, ["ips[0]"]],
    ["good among bad", [1, { address: "1.2.3.4" }, { address: 7 }], 1, ["ips[0]", "ips[2]"]],
  ])("PAY-04 makes a list without invalid members of ips that is %s", (_, ips, count, dropped) => {
    const raw = ips === undefined ? {} : { ips };
    expect(event(raw).ips).toHaveLength(count);
    expect(droppedFrom(raw)).toEqual(dropped);
  });

  it("PAY-04 keeps 5,000 addresses", () => {
    const ips = Array.from({ length: 5000 }, (_, n) => ({ address: `10.0.${n >> 8}.${n & 255}` }));
    expect(event({ ips }).ips).toHaveLength(5000);
  });

  it.each<[unknown, unknown]>([
    [[2.35, 48.85], { longitude: 2.35, latitude: 48.85 }],
    [[-180, 90], { longitude: -180, latitude: 90 }],
    [[180, -90], { longitude: 180, latitude: -90 }],
    [[0, 0], { longitude: 0, latitude: 0 }],
    [[], undefined],
    [[2.35], undefined],
    [[2.35, 48.85, 0], undefined],
    [["2.35", "48.85"], undefined],
    [[Infinity, 0], undefined],
    [[NaN, 0], undefined],
    [[200, 95], undefined],
    [[48.85, 95], undefined],
    [[180.1, 0], undefined],
    [[null, null], undefined],
    [{ longitude: 2.35, latitude: 48.85 }, undefined],
    ["2.35,48.85", undefined],
  ])("PAY-05 reads the point %j as %o", (point, coordinates) => {
    expect(coordinatesOf(firstIp({ geo: { point } })?.geo)).toEqual(coordinates);
    if (Array.isArray(point) && point.length === 2) {
      const flat = { geo_longitude: point[0] as unknown, geo_latitude: point[1] as unknown };
      expect(coordinatesOf(firstIp(flat)?.geo)).toEqual(coordinates);
    }
  });

  it("PAY-05 gives no coordinates where there is no location", () => {
    expect(coordinatesOf(undefined)).toBeUndefined();
    expect(coordinatesOf({})).toBeUndefined();
  });

  it("PAY-08 takes an incident with empty words, an unknown genre and no counts", () => {
    const { payload, dropped } = read("pulse", {
      service_payload_type: "pulse",
      pulse_genre: "moon_phase",
      humanized_accounts: "",
      accounts_count: 0,
      date_ended: null,
      incidents_count: "3",
    });
    const incident = payload as Incident;
    expect(incident).toEqual({
      service_payload_type: "pulse",
      pulse_genre: "moon_phase",
      humanized_accounts: "",
      accounts_count: 0,
    });
    expect(incident.ip_addresses_count).toBeUndefined();
    expect(dropped).toEqual(["incidents_count"]);
  });

  it("reports each member that had to be left out, and none that is merely null", () => {
    expect(
      droppedFrom({
        event_id: 7,
        event_kind: null,
        risk: "high",
        ips: [{ address: "1.2.3.4", is_tor: 1, geo: { code: 5, point: [1], city: null } }],
        application_account_account_keys: [{ name: "a" }, { name: "b", value: "c" }],
      }),
    ).toEqual([
      "event_id",
      "risk",
      "ips[0].is_tor",
      "ips[0].geo.code",
      "ips[0].geo.point",
      "application_account_account_keys[0]",
    ]);
  });

  it("always gives a security response its two lists", () => {
    for (const properties of [undefined, null, 7, [], {}, { ips: "x", user_identifiers: {} }]) {
      const raw = { service_payload_type: "security_response", properties };
      const { payload } = read("security_response", raw);
      expect((payload as SecurityResponse).properties).toEqual({ ips: [], user_identifiers: [] });
    }
  });

  it("gives the very same object when nothing needs repair", () => {
    const raw = {
      service_payload_type: "security_event",
      event_id: "a",
      date_occurred: DATE,
      ips: [{ address: "1.2.3.4", geo: { code: "FRA", point: [2.35, 48.85] }, is_tor: false }],
      application_account_account_keys: [],
    };
    const result = read("security_event", raw);
    expect(result.payload).toBe(raw);
    expect(result.dropped).toEqual([]);
  });

  it.each(PAYLOAD_TYPES)(
    "gives a full %s back as it is, and one with the fewest members",
    (type) => {
      const few = read(type, { service_payload_type: type }).payload as unknown as RawObject;
      for (const raw of [FULL[type], few]) {
        const { payload, dropped } = read(type, raw);
        expect(payload).toBe(raw);
        expect(dropped).toEqual([]);
      }
    },
  );

  it.each(PAYLOAD_TYPES)("repairs a %s in which a stated member is of another type", (type) => {
    const names = Object.keys(FULL[type]).filter((name) => name !== "service_payload_type");
    for (const name of names) {
      // As it is, or with what stands in its place where the member is never missing.
      const { [name]: _, ...rest } = FULL[type];
      const without = read(type, rest);
      for (const value of [7, "x", true, {}, [], [Symbol(name)]]) {
        const wrong = { ...FULL[type], [name]: value };
        if (mistypedMembers(wrong as unknown as Payload).length === 0) continue;
        const { payload, dropped } = read(type, wrong);
        expect(payload).not.toBe(wrong);
        expect(dropped.every((path) => path.startsWith(name))).toBe(true);
        // An empty object of `properties` is only completed.
        if (!isRawObject(value)) expect(dropped).not.toEqual([]);
        if (!Array.isArray(value)) expect(payload).toEqual(without.payload);
      }
      expect(read(type, { ...FULL[type], [name]: null })).toEqual(without);
    }
  });

  it("repairs every other spelling", () => {
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
      const { payload, dropped } = read("security_event", raw);
      expect(payload).not.toBe(raw);
      expect(mistypedMembers(payload)).toEqual([]);
      expect(dropped).toEqual([]);
    }
  });

  it("names the type in its own member where a service has another name for it", () => {
    expect(read("pulse", { vendor_type: "pulse" }).payload).toEqual({
      vendor_type: "pulse",
      service_payload_type: "pulse",
    });
  });

  it("gives every member its stated type, drops nothing twice, and is idempotent", () => {
    const types = fc.constantFrom<PayloadType>(...PAYLOAD_TYPES);
    const near = fc
      .tuple(types, fc.infiniteStream(fc.nat()), fc.option(payloadLikeJson, { nil: undefined }))
      .map(([type, numbers, other]) => {
        const choose = (count: number): number => (numbers.next().value as number) % count;
        return [type, changed(FULL[type], choose, other)] as const;
      });
    const far = fc.tuple(types, payloadLikeObject);
    fc.assert(
      fc.property(fc.oneof({ weight: 3, arbitrary: near }, far), ([type, value]) => {
        if (!isRawObject(value)) return;
        const { payload, dropped } = read(type, value);
        expect(mistypedMembers(payload)).toEqual([]);
        expect(new Set(dropped).size).toBe(dropped.length);
        if (dropped.length > 0) expect(payload).not.toBe(value);
        const again = read(type, payload);
        expect(again.payload).toBe(payload);
        expect(again.dropped).toEqual([]);
      }),
      { numRuns: 5000 },
    );
  });
});

function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freezeDeep);
}

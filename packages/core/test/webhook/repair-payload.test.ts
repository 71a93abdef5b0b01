import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairPayload } from "../../src/webhook/repair-payload.js";
import type { Incident, SecurityEvent, SecurityResponse } from "../../src/webhook/payload.js";
import { coordinatesOf } from "../../src/webhook/payload.js";
import { PAYLOAD_TYPES, type PayloadType } from "../../src/webhook/vocabulary.js";
import { payloadLikeObject } from "../support/arbitrary-json.js";
import { mistypedMembers } from "../support/payload-types.js";

const event = (raw: object): SecurityEvent =>
  repairPayload("security_event", { service_payload_type: "security_event", ...raw })
    .payload as SecurityEvent;
const droppedFrom = (raw: object): readonly string[] =>
  repairPayload("security_event", { service_payload_type: "security_event", ...raw }).dropped;
const firstIp = (ip: object): SecurityEvent["ips"][number] | undefined =>
  event({ ips: [{ address: "1.2.3.4", ...ip }] }).ips[0];

const DATE = "2026-01-01T00:00:00.123456+00:00";
const OTHER = "2027-01-01T00:00:00.123456+00:00";

describe("repairPayload", () => {
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
        repairPayload(type, raw);
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
    const { payload } = repairPayload("security_response", {
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
    const { payload, dropped } = repairPayload("pulse", {
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
      const { payload } = repairPayload("security_response", raw);
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
    const result = repairPayload("security_event", raw);
    expect(result.payload).toBe(raw);
    expect(result.dropped).toEqual([]);
  });

  it("names the type in its own member where a service has another name for it", () => {
    expect(repairPayload("pulse", { vendor_type: "pulse" }).payload).toEqual({
      vendor_type: "pulse",
      service_payload_type: "pulse",
    });
  });

  it("gives every member its stated type, drops nothing twice, and is idempotent", () => {
    fc.assert(
      fc.property(
        fc.constantFrom<PayloadType>(...PAYLOAD_TYPES),
        payloadLikeObject,
        (type, raw) => {
          const { payload } = repairPayload(type, raw);
          expect(mistypedMembers(payload)).toEqual([]);
          const again = repairPayload(type, payload);
          expect(again.payload).toBe(payload);
          expect(again.dropped).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function freezeDeep(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  Object.freeze(value);
  Object.values(value).forEach(freezeDeep);
}

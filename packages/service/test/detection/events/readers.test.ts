import fc from "fast-check";
import { isRiskGateError } from "@riskgate/core";
import { describe, expect, it } from "vitest";
import { readSample } from "../../../src/detection/incidents/counter.js";
import { readOutcome } from "../../../src/detection/logins/outcome.js";
import { readEvent } from "../../../src/detection/events/read-event.js";
import { readPlaybook } from "../../../src/detection/playbooks/playbook.js";
import { START } from "../../support/open-intake.js";

const readers = {
  readEvent: (value: unknown) => readEvent(value, START),
  readOutcome: (value: unknown) => readOutcome(value, START),
  readSample: (value: unknown) => readSample(value, START),
  readPlaybook,
};

/** Members that some reader knows, with values that some of them take. */
const plausible = fc.dictionary(
  fc.constantFrom(
    ..."event_id id event_kind date_occurred date_occured ips blocked risk user_agent".split(" "),
    ..."account address success at location known userAgent http4xx failedLogins".split(" "),
    ..."name rule response enabled kinds genres count application_account_account_keys".split(" "),
    ..."geo point code is_tor __proto__ constructor".split(" "),
  ),
  fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("sql_injection", "8.8.8.8", "ada@shop.example", "\ud800", "\0", 1e308),
    fc.constant("2025-12-31T23:59:59.123456+00:00"),
    fc.array(fc.record({ address: fc.string(), name: fc.string(), value: fc.string() })),
    fc.record({ kinds: fc.array(fc.constantFrom("xss", "lfi")), count: fc.integer() }),
  ),
);

describe.each(Object.entries(readers))("%s", (_, read) => {
  it("gives a reason for whatever it does not take, and fails in no other way", () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), plausible), (value) => {
        try {
          read(value);
        } catch (error) {
          expect(isRiskGateError(error) && error.code).toBe("INVALID_ARGUMENT");
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("readEvent", () => {
  const event = (members: object = {}): object => ({ event_kind: "xss", ...members });

  it("needs no more than a kind, and takes now for the time", () => {
    expect(readEvent(event(), START)).toMatchObject({ kind: "xss", occurredAt: START, ips: [] });
  });

  it.each([
    ["both spellings of the id", { id: "e1" }, { id: "e1" }],
    [
      "both spellings of the date",
      { date_occured: "2025-12-31T23:59:59+00:00" },
      { occurredAt: START - 1_000_000 },
    ],
    ["a kind with a blank inside", { event_kind: "auth_ bruteforce" }, { kind: "auth_bruteforce" }],
    ...[
      "auth_bruteforce success",
      "auth_bruteforce \t_success",
      "\u00a0auth bruteforce\u00a0success\n",
    ].map((kind): [string, object, object] => [
      `${JSON.stringify(kind)} for its kind`,
      { event_kind: kind },
      { kind: "auth_bruteforce_success" },
    ]),
    [
      "the members that the service sets",
      {
        application_id: "a",
        application_name: "b",
        environment: "c",
        url: "d",
        event_url: "e",
        travel: {},
      },
      { kind: "xss" },
    ],
    [
      "an address in another spelling",
      { ips: ["::ffff:8.8.8.8", { address: "2A00::0001" }] },
      { ips: [{ address: "8.8.8.8" }, { address: "2a00::1" }] },
    ],
    [
      "a clock that is a little ahead for now",
      { date_occurred: "2026-01-01T00:04:00Z" },
      { occurredAt: START },
    ],
    ["null as absent", { event_id: null, id: "e2", ips: null }, { id: "e2" }],
  ])("takes %s", (_, members, expected) => {
    expect(readEvent(event(members), START)).toMatchObject(expected);
  });

  it.each([
    ["event_kind", { event_kind: "<waf>" }],
    ["event_category", { event_kind: "waf", event_category: "a/b" }],
    ["event_kind", { event_kind: undefined }],
    ["event_id", { event_id: "a b" }],
    ["event_id", { event_id: "" }],
    ["event_id", { event_id: 7 }],
    ["date_occurred", { date_occurred: "2026-01-01T00:06:00Z" }],
    ["date_occurred", { date_occurred: "2025-02-30T00:00:00Z" }],
    ["date_occurred", { date_occurred: 1_767_225_600 }],
    ["ips", { ips: "8.8.8.8" }],
    ["ips[1].address", { ips: ["8.8.8.8", "8.8.8.8.8"] }],
    ["ips[0].geo.code", { ips: [{ address: "8.8.8.8", geo: { code: "FR" } }] }],
    ["ips[0].geo.point", { ips: [{ address: "8.8.8.8", geo: { point: [48.85, 235] } }] }],
    [
      "application_account_account_keys[0].name",
      { application_account_account_keys: [{ name: "__proto__", value: "x" }] },
    ],
    [
      "application_account_account_keys[0].value",
      { application_account_account_keys: [{ name: "email" }] },
    ],
    ["blocked", { blocked: "yes" }],
    ["risk", { risk: 101 }],
    ["user_agent", { user_agent: "\ud800" }],
  ])("names %s in the reason and shows no value of it", (name, members) => {
    const refused = expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^`[\w.[\]]+` (must be .|is missing$)/),
    });
    expect(() => readEvent(event(members), START)).toThrow(refused);
    expect(() => readEvent(event(members), START)).toThrow(`\`${name}\``);
  });
});

describe("a misspelt member of a report", () => {
  const event = { event_kind: "xss" };
  const login = { account: "a", address: "8.8.8.8", success: true };

  it.each<[string, () => unknown, RegExp]>([
    [
      "`ip` of an event",
      () => readEvent({ ...event, ip: "8.8.8.8" }, START),
      /did you mean `ips`\?/,
    ],
    [
      "a name close to none",
      () => readEvent({ ...event, zzzzzzzz: 1 }, START),
      /only takes `event_id`, /,
    ],
    [
      "`adress` of an address",
      () => readEvent({ ...event, ips: [{ address: "8.8.8.8", is_tr: true }] }, START),
      /`ips\[0\]` only takes .*did you mean `ips\[0\]\.is_tor`\?/,
    ],
    [
      "`nam` of an account key",
      () =>
        readEvent(
          { ...event, application_account_account_keys: [{ name: "a", value: "b", valu: 1 }] },
          START,
        ),
      /did you mean `application_account_account_keys\[0\]\.value`\?/,
    ],
    [
      "`date_occurred` of a login",
      () => readOutcome({ ...login, date_occurred: "2025-12-31T23:59:59+00:00" }, START),
      /the outcome only takes `account`, `address`, .*`at`/,
    ],
    [
      "`cross_site` of a login",
      () => readOutcome({ ...login, cross_site: true }, START),
      /`crossSite`\?/,
    ],
    [
      "another standing of a device",
      () => readOutcome({ ...login, device: "seen" }, START),
      /`device` .*known, new, revoked/,
    ],
    [
      "`cod` of a location",
      () => readOutcome({ ...login, location: { cod: "FRA" } }, START),
      /did you mean `location\.code`\?/,
    ],
    ["`http4x` of a sample", () => readSample({ http4x: 3 }, START), /did you mean `http4xx`\?/],
  ])("is refused with the nearest name: %s", (_, read, message) => {
    expect(read).toThrow(message);
  });
});

import fc from "fast-check";
import { EVENT_KINDS, PAYLOAD_TYPES } from "../../src/model/vocabulary.js";

const NAMES = (
  "service_payload_type application_id application_name environment application playbook " +
  "name event_id id event_url url event_kind " +
  "event_category risk risk_coefficient date_occurred date_occured date_created " +
  "humanized_title application_account_account_keys value ips address geo " +
  "city code point country_code geo_longitude geo_latitude " +
  "is_tor date_resolved pulse_genre blocked accounts_count properties " +
  "user_identifiers ip_cidr constructor prototype __proto__ toString " +
  "unknown"
).split(" ");

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, "", " ", "x", "auth_ bruteforce", 0, -1, 2.5, 1e300),
  fc.constantFrom<unknown>(...PAYLOAD_TYPES, ...EVENT_KINDS.slice(0, 3), "1.2.3.4"),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string({ maxLength: 4 }),
);

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...NAMES), tie("value")), { maxLength: 8 })
    // Text and back: only so does `__proto__` become a key of its own, as it would on the wire.
    .map((pairs) => {
      const members = pairs.map(
        ([name, item]) => `${JSON.stringify(name)}:${JSON.stringify(item)}`,
      );
      return JSON.parse(`{${members.join()}}`) as unknown;
    }),
}));

/** Any JSON value, made of the names and words that payloads are made of. */
export const payloadLikeJson: fc.Arbitrary<unknown> = value;

/** An object of such values. */
export const payloadLikeObject: fc.Arbitrary<Record<string, unknown>> = fc
  .array(fc.tuple(fc.constantFrom(...NAMES.filter((name) => name !== "__proto__")), value), {
    maxLength: 16,
  })
  .map((pairs) => Object.fromEntries(pairs));

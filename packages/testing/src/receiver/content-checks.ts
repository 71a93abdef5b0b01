import { gzipSync } from "node:zlib";
import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { ACCEPTED, CLIENT_ERROR, ENDED, REFUSED } from "../conformance/expectation.js";
import type { Probe } from "../conformance/probe.js";
import { bytesOf, type DeliveryKit } from "./delivery-kit.js";
import { receiverCheck } from "./receiver-check.js";
import type { ReceiverTarget } from "./receiver-target.js";

const READ_FIRST =
  "Answer 400 if a signed body is not a JSON array: payloads that were not read were not delivered";

/** Rules for correctly signed bodies that are unusual, broken or of a form seen in practice. */
export const contentChecks: readonly ConformanceCheck<ReceiverTarget>[] = [
  receiverCheck({
    id: "RCV-18",
    level: "must",
    title: "acknowledges no signed body that is not a JSON array",
    remedy: READ_FIRST,
    expected: REFUSED,
    probes: unreadable,
  }),
  receiverCheck({
    id: "RCV-19",
    level: "should",
    title: "answers 400 to 499 to a signed body that is not a JSON array",
    remedy: `${READ_FIRST}. A status from 500 makes a sender try again in vain`,
    expected: CLIENT_ERROR,
    probes: unreadable,
  }),
  receiverCheck({
    id: "RCV-20",
    level: "should",
    title: "refuses a body that is not UTF-8",
    remedy: "Decode the body strictly: the sender did not send replacement characters",
    expected: REFUSED,
    probes: ({ signed }) => [
      signed(
        "a string with the bytes c3 28",
        Buffer.from('[{"service_payload_type":"test","note":"\u00c3("}]', "latin1"),
      ),
    ],
  }),
  receiverCheck({
    id: "RCV-21",
    level: "should",
    title: "refuses more than 1,000 payloads",
    remedy: "Answer 400 above 1,000 payloads: a sender splits larger sets",
    expected: REFUSED,
    probes: ({ signed }) => [
      signed(
        "1,001 payloads",
        Array.from({ length: 1001 }, () => ({ service_payload_type: "test" })),
      ),
    ],
  }),
  receiverCheck({
    id: "RCV-22",
    level: "should",
    title: "accepts an empty array",
    remedy: "Answer 2xx to an empty delivery: it has no payload to handle",
    expected: ACCEPTED,
    probes: ({ signed }) => [signed("no payload", "[]"), signed("no payload, a blank", "[ ]")],
  }),
  receiverCheck({
    id: "RCV-23",
    level: "should",
    title: "accepts a byte order mark and repeated keys",
    remedy: "Verify first; then drop one leading byte order mark, and let the last key win",
    expected: ACCEPTED,
    probes: ({ signed }) => [
      signed("a byte order mark in front", '\ufeff[{"service_payload_type":"test"}]'),
      signed("a key twice", '[{"service_payload_type":"pulse","service_payload_type":"test"}]'),
    ],
  }),
  receiverCheck({
    id: "RCV-24",
    level: "should",
    title: "accepts the other payloads if one is malformed or of an unknown type",
    remedy: "Skip and log this payload, handle the others, and answer 2xx",
    expected: ACCEPTED,
    probes: ({ make, signed }) => [
      signed("an unknown type between two others", [
        make.test(),
        { service_payload_type: "conformance" },
        make.test(),
      ]),
      ...[null, 42, "x", [], {}].map((odd) =>
        signed(`${JSON.stringify(odd)} between two payloads`, [make.test(), odd, make.test()]),
      ),
    ],
  }),
  receiverCheck({
    id: "RCV-25",
    level: "should",
    title: "accepts the forms of real deliveries",
    remedy: "Treat every member except the type as optional and nullable",
    expected: ACCEPTED,
    probes: seenInTheField,
  }),
  receiverCheck({
    id: "RCV-26",
    level: "should",
    title: "survives deep nesting and hostile names of members",
    remedy: "Limit the depth of parsed bodies, and do not copy members named __proto__",
    expected: ENDED,
    probes: ({ signed }) => [
      signed("100,000 arrays in one another", "[".repeat(100_000) + "]".repeat(100_000)),
      signed(
        "members named __proto__ and constructor",
        '[{"service_payload_type":"test","__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}]',
      ),
    ],
  }),
  receiverCheck({
    id: "RCV-27",
    level: "should",
    title: "refuses a compressed body, whichever bytes were signed",
    remedy: "Answer 415 to a Content-Encoding: a small body can become a very large one",
    expected: REFUSED,
    probes({ make, sign, signed }) {
      const plain = [make.test()];
      const body = gzipSync(bytesOf(plain));
      const of = (signature: string): Partial<Probe> => ({ headers: compressed(signature) });
      return [
        signed("gzip, with the digest of the compressed bytes", body, of(sign(body))),
        signed("gzip, with the digest of the plain bytes", body, of(sign(plain))),
      ];
    },
  }),
];

function compressed(signature: string): Probe["headers"] {
  return [
    ["Content-Type", "application/json"],
    ["Content-Encoding", "gzip"],
    ["X-Service-Integrity", signature],
  ];
}

function unreadable({ make, signed }: DeliveryKit): readonly Probe[] {
  const rows = {
    "no body": "",
    "half an array": "[",
    "a comma too many": "[1,]",
    "half an object": '[{"a"',
    "two arrays": "[][]",
    "a form": "service_payload_type=test",
    "a NUL between brackets": "[\0]",
    "an object": "{}",
    "a payload outside of an array": JSON.stringify(make.test()),
    "a string": '"x"',
    "a number": "1",
    null: "null",
    true: "true",
  };
  return Object.entries(rows).map(([sent, body]) => signed(sent, body));
}

function seenInTheField({ make, signed }: DeliveryKit): readonly Probe[] {
  const { event_id: id, event_url: url, ...event } = make.securityEvent();
  const ip = { address: "203.0.113.7" };
  return [
    signed("an event with id and url alone", [{ ...event, id, url }]),
    signed("an event without ips", [{ ...event, ips: undefined }]),
    signed("an event with no ips", [{ ...event, ips: [] }]),
    signed("ips without geo, or with an empty one", [
      { ...event, ips: [ip, { ...ip, geo: {} }, { ...ip, geo: { city: null } }] },
    ]),
    signed("ips in the flat spelling", [
      {
        ...event,
        ips: [{ ...ip, country_code: "FRA", geo_latitude: 48.85, geo_longitude: 2.35 }],
      },
    ]),
    signed("an ongoing incident", [{ ...make.incident(), date_ended: null, id: null }]),
    signed("a response without id, of users as plain strings", [
      {
        ...make.securityResponse(),
        id: null,
        properties: { ips: [{ ip_cidr: "203.0.113.7" }], user_identifiers: ["ada@shop.example"] },
      },
    ]),
  ];
}

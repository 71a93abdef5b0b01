import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { ACCEPTED } from "../conformance/expectation.js";
import { eventsFrom } from "./delivery-kit.js";
import { receiverCheck } from "./receiver-check.js";
import type { ReceiverTarget } from "./receiver-target.js";

const RAW =
  "Take the body as bytes, before any parser, and compute the HMAC over exactly these bytes";

/** Rules for deliveries that every receiver accepts. */
export const deliveryChecks: readonly ConformanceCheck<ReceiverTarget>[] = [
  receiverCheck({
    id: "RCV-01",
    level: "must",
    title: "accepts a signed test payload",
    remedy:
      "Compare the secret with the sender's, verify the lowercase hex HMAC-SHA-256 over the raw body, and answer POST at this very address, without a redirect",
    expected: ACCEPTED,
    probes: ({ make, signed }) => [signed("a test payload", [make.test()])],
  }),
  receiverCheck({
    id: "RCV-02",
    level: "must",
    title: "accepts every type of payload",
    remedy: "Answer 2xx for types that you do not use too: skip their payloads",
    expected: ACCEPTED,
    probes: ({ make, signed }) => [
      signed("a security event", [make.securityEvent()]),
      signed("an incident", [make.incident()]),
      signed("a security response", [make.securityResponse()]),
      signed("a payload with only the type test", [{ service_payload_type: "test" }]),
      signed("one of each type", [
        make.securityEvent(),
        make.incident(),
        make.securityResponse(),
        make.test(),
      ]),
    ],
  }),
  receiverCheck({
    id: "RCV-03",
    level: "must",
    title: "verifies the bytes as they were sent",
    remedy: RAW,
    expected: ACCEPTED,
    probes: ({ signed }) => [
      signed("blanks after commas and colons", '[{"service_payload_type": "test", "risk": 42}]'),
      signed("line breaks of CR LF", '[\r\n  {\r\n\t"service_payload_type":"test"\r\n  }\r\n]'),
      signed("a line break at the end", '[{"service_payload_type":"test"}]\n'),
      signed("text in UTF-8", '[{"service_payload_type":"test","note":"h\u00e9llo \u{1f512}"}]'),
      signed(
        "escapes where UTF-8 would do",
        String.raw`[{"service_payload_type":"test","note":"h\u00e9llo \ud83d\udd12 \/ \u0041"}]`,
      ),
      signed(
        "numbers in other spellings",
        '[{"service_payload_type":"test","risk":42.0,"big":1E2,"small":0.10}]',
      ),
      signed("keys in no order", '[{"z":1,"service_payload_type":"test","10":2,"9":3,"a":4}]'),
    ],
  }),
  receiverCheck({
    id: "RCV-04",
    level: "must",
    title: "accepts unknown kinds, categories, genres and members",
    remedy: "Skip unknown values and answer 2xx: otherwise one payload makes a whole delivery fail",
    expected: ACCEPTED,
    probes: ({ make, signed }) => [
      signed("an unknown kind", [make.securityEvent({ event_kind: "conformance_kind" })]),
      signed("an unknown category", [make.securityEvent({ event_category: "conformance" })]),
      signed("an unknown genre", [make.incident({ pulse_genre: "conformance_genre" })]),
      signed("unknown members", [{ ...make.securityEvent(), conformance: { deep: [1, null] } }]),
      signed("both spellings of a member", [
        { ...make.securityEvent(), id: "5f1e", url: "https://x.example", risk: 25 },
      ]),
    ],
  }),
  receiverCheck({
    id: "RCV-05",
    level: "must",
    title: "accepts the same delivery again",
    remedy:
      "Answer 2xx to payloads that you have already handled: a sender without an answer sends again",
    expected: ACCEPTED,
    probes({ make, signed }) {
      const delivery = [make.securityEvent(), make.incident()];
      return [signed("a delivery", delivery), signed("the same delivery again", delivery)];
    },
  }),
  receiverCheck({
    id: "RCV-06",
    level: "must",
    title: "accepts a full delivery of 1,000 payloads",
    remedy:
      "Raise the limits of the application, its body parser and any proxy: a full delivery is about 1 MB",
    expected: ACCEPTED,
    probes: ({ make, signed }) => [
      signed("1,000 events", eventsFrom(make, 1)),
      signed("1,000 events with three addresses each", eventsFrom(make, 3)),
    ],
  }),
  receiverCheck({
    id: "RCV-07",
    level: "must",
    title: "accepts 100 deliveries at the same time",
    remedy:
      "Allow more connections at a time, raise the backlog of the listening socket to 100 or more, and store deliveries before you handle them",
    expected: ACCEPTED,
    atOnce: true,
    probes: ({ make, signed }) =>
      Array.from({ length: 100 }, (_, at) =>
        signed(`delivery ${at + 1} of 100`, [make.securityEvent()]),
      ),
  }),
  receiverCheck({
    id: "RCV-08",
    level: "must",
    title: "reads the name of the header in any case",
    remedy: "Compare header names without their case, as HTTP requires",
    expected: ACCEPTED,
    probes: ({ make, sign, forged }) =>
      ["x-service-integrity", "X-SERVICE-INTEGRITY", "x-SeRvIcE-iNtEgRiTy"].map((name) => {
        const body = [make.test()];
        return forged(`the header as ${name}`, body, [[name, sign(body)]]);
      }),
  }),
];

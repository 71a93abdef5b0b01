import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { ACCEPTED, acceptedWithin, REFUSED } from "../conformance/expectation.js";
import type { Lines, Probe } from "../conformance/probe.js";
import { eventsFrom } from "./delivery-kit.js";
import { receiverCheck } from "./receiver-check.js";
import type { ReceiverTarget } from "./receiver-target.js";

const JSON_TYPE = "application/json";
const TOO_LARGE = 32 * 1024 * 1024;
const DRIP_MS = 100;

/** Rules for methods, sizes and speeds of requests. */
export const transportChecks: readonly ConformanceCheck<ReceiverTarget>[] = [
  receiverCheck({
    id: "RCV-28",
    level: "should",
    title: "accepts deliveries by POST only",
    remedy: "Answer 405 with Allow: POST to any other method",
    expected: REFUSED,
    probes: ({ make, signed }) => [
      { sent: "GET", method: "GET", headers: [] },
      { sent: "HEAD", method: "HEAD", headers: [] },
      ...["PUT", "PATCH", "DELETE"].map((method) =>
        signed(`a signed delivery by ${method}`, [make.test()], { method }),
      ),
    ],
  }),
  receiverCheck({
    id: "RCV-29",
    level: "should",
    title: "accepts every form of a request that HTTP allows",
    remedy: "Accept the charset UTF-8, blanks around a header value, and a chunked body",
    expected: ACCEPTED,
    probes({ make, sign, signed }) {
      const body = [make.test()];
      const lines = (type: string, value: string): { readonly headers: Lines } => ({
        headers: [
          ["Content-Type", type],
          ["X-Service-Integrity", value],
        ],
      });
      const good = sign(body);
      return [
        signed("a charset", body, lines(`${JSON_TYPE}; charset=utf-8`, good)),
        signed("a type in upper case", body, lines('APPLICATION/JSON ; charset="UTF-8"', good)),
        signed("blanks around the signature", body, lines(JSON_TYPE, `\t ${good} \t`)),
        signed("a chunked body", body, { trailers: [] }),
      ];
    },
  }),
  receiverCheck({
    id: "RCV-30",
    level: "should",
    title: "accepts 1,000 events with ten addresses each",
    remedy: "Raise the limits of body parser and proxy to 5 MiB, so that every full delivery fits",
    expected: ACCEPTED,
    probes: ({ make, signed }) => [signed("1,000 events", eventsFrom(make, 10))],
  }),
  receiverCheck({
    id: "RCV-31",
    level: "should",
    title: "answers a full delivery within half the time that a sender waits",
    remedy: "Store a delivery, answer, and handle it afterwards, as an inbox does",
    expected: (timeoutMs) => acceptedWithin(timeoutMs / 2),
    probes: ({ make, signed }) => [signed("1,000 events", eventsFrom(make, 1))],
  }),
  receiverCheck({
    id: "RCV-32",
    level: "should",
    title: "refuses a signed delivery that is far too large",
    remedy: "Limit the size of a body, 5 MiB for example, and answer 413 above it",
    expected: REFUSED,
    probes: ({ signed }) => [
      signed(
        "one payload of 32 MiB",
        JSON.stringify([{ service_payload_type: "test", note: "x".repeat(TOO_LARGE) }]),
      ),
    ],
  }),
  receiverCheck({
    id: "RCV-33",
    level: "should",
    title: "terminates a request whose body never ends",
    remedy: "Limit the time for a whole body, 10 seconds for example, and answer 408 or close",
    expected: REFUSED,
    isSlow: true,
    probes: ({ signed }): readonly Probe[] => [
      signed(
        `a byte each ${DRIP_MS} ms`,
        JSON.stringify([{ service_payload_type: "test", note: "x".repeat(1e6) }]),
        { dripMs: DRIP_MS },
      ),
    ],
  }),
];

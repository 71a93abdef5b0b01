import { createHash, createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { ConformanceCheck } from "../conformance/conformance-check.js";
import { REFUSED, REFUSED_WITH_401 } from "../conformance/expectation.js";
import type { Probe } from "../conformance/probe.js";
import { bytesOf, type DeliveryKit } from "./delivery-kit.js";
import { receiverCheck } from "./receiver-check.js";
import type { ReceiverTarget } from "./receiver-target.js";

const WRONG = "0".repeat(64);
const VERIFY_FIRST = "Verify the signature before anything else, whatever the body contains";
const HUGE_BYTES = 16 * 1024 * 1024;

/** Rules for deliveries from senders without the secret, which no receiver may accept. */
export const forgeryChecks: readonly ConformanceCheck<ReceiverTarget>[] = [
  receiverCheck({
    id: "RCV-09",
    level: "must",
    title: "refuses a delivery without a signature",
    remedy: "Refuse a request without the header X-Service-Integrity with status 401",
    expected: REFUSED,
    probes: ({ make, sign, forged }) => {
      const body = [make.test()];
      return [
        forged("no signature", body, []),
        forged("no signature, and an event", [make.securityEvent()], []),
        forged("the signature in another header", body, [["X-Signature", sign(body)]]),
      ];
    },
  }),
  receiverCheck({
    id: "RCV-10",
    level: "must",
    title: "refuses a signature that is not a digest",
    remedy:
      "Accept only exactly 64 characters 0-9 a-f, and compare all of them in constant time; do not decode them first",
    expected: REFUSED,
    probes: malformed,
  }),
  receiverCheck({
    id: "RCV-11",
    level: "must",
    title: "refuses a digest of something else",
    remedy: "Compute the HMAC-SHA-256 of the raw body with the secret, and compare all 64 digits",
    expected: REFUSED,
    probes: misdirected,
  }),
  receiverCheck({
    id: "RCV-12",
    level: "must",
    title: "refuses a body that was changed after signing",
    remedy:
      "Compute the HMAC over the bytes received, not over JSON that was parsed and serialised again",
    expected: REFUSED,
    probes: changed,
  }),
  receiverCheck({
    id: "RCV-13",
    level: "must",
    title: "verifies before it reads the body",
    remedy: VERIFY_FIRST,
    expected: REFUSED,
    probes: ({ make, forged }) => [
      forged("a wrong signature, an unknown type", [{ service_payload_type: "unknown" }], WRONG),
      forged(
        "a wrong signature, an unknown kind",
        [make.securityEvent({ event_kind: "conformance_kind" })],
        WRONG,
      ),
      forged("a wrong signature, no payload", "[]", WRONG),
      forged("a wrong signature, no array", "{}", WRONG),
      forged("a wrong signature, no JSON", "[", WRONG),
      forged("a wrong signature, no body", "", WRONG),
      forged("a wrong signature, deep nesting", "[".repeat(100_000), WRONG),
    ],
  }),
  receiverCheck({
    id: "RCV-14",
    level: "must",
    title: "refuses a compressed body without a valid signature",
    remedy: "Refuse a Content-Encoding with 415, or verify the signature",
    expected: REFUSED,
    probes: ({ make, forged }) => [
      { ...forged("a wrong signature, gzip", gzipSync(bytesOf([make.test()])), WRONG), ...GZIP },
      {
        ...forged("a wrong signature, gzip of 10 MB", gzipSync(Buffer.alloc(1e7, 32)), WRONG),
        ...GZIP,
      },
    ],
  }),
  receiverCheck({
    id: "RCV-15",
    level: "must",
    title: "refuses a large delivery with a wrong signature, and does not hang",
    remedy: "Limit the size of a body, and answer when it is exceeded",
    expected: REFUSED,
    probes: ({ forged }) => [
      forged("a wrong signature, 16 MiB", Buffer.alloc(HUGE_BYTES, 0x20), WRONG),
    ],
  }),
  receiverCheck({
    id: "RCV-16",
    level: "should",
    title: "refuses every kind of bad signature with 401",
    remedy: "Give a missing, malformed and wrong signature the same answer, with status 401",
    expected: REFUSED_WITH_401,
    probes: ({ make, forged }) => [
      forged("no signature", [make.test()], []),
      forged("an empty signature", [make.test()], ""),
      forged("a word", [make.test()], "signature"),
      forged("a wrong digest", [make.test()], WRONG),
    ],
  }),
  receiverCheck({
    id: "RCV-17",
    level: "should",
    title: "accepts a digest only in the form of the service",
    remedy: "Accept exactly one header line of 64 characters 0-9 a-f",
    expected: REFUSED,
    probes({ make, sign, forged }) {
      const body = [make.test()];
      const good = sign(body);
      const name = "X-Service-Integrity";
      return [
        forged("the right digest in upper case", body, good.toUpperCase()),
        forged("two lines, right and wrong", body, [
          [name, good],
          [name, WRONG],
        ]),
        forged("two lines, wrong and right", body, [
          [name, WRONG],
          [name, good],
        ]),
        forged("the right digest twice on a line", body, `${good}, ${good}`),
      ];
    },
  }),
];

const GZIP: Pick<Probe, "headers"> = {
  headers: [
    ["Content-Type", "application/json"],
    ["Content-Encoding", "gzip"],
    ["X-Service-Integrity", WRONG],
  ],
};

function malformed({ make, sign, forged }: DeliveryKit): readonly Probe[] {
  const body = [make.test()];
  const good = sign(body);
  const values = {
    "an empty signature": "",
    "a word": "signature",
    "the word null": "null",
    "the first digit alone": good.slice(0, 1),
    "half of the right digest": good.slice(0, 32),
    "the right digest without its last digit": good.slice(0, 63),
    "the right digest with a digit more": `${good}a`,
    "the right digest with two letters more": `${good}zz`,
    "the right digest behind sha256=": `sha256=${good}`,
    "the right digest in quotes": `"${good}"`,
    "the right digest as base64": Buffer.from(good, "hex").toString("base64"),
  };
  return Object.entries(values).map(([sent, value]) => forged(sent, body, value));
}

function misdirected({ make, sign, forged }: DeliveryKit): readonly Probe[] {
  const body = [make.test()];
  const bytes = bytesOf(body);
  const good = sign(body);
  const flipped = (at: number): string =>
    good.slice(0, at) + (good[at] === "0" ? "1" : "0") + good.slice(at + 1);
  const values = {
    "64 zeros": WRONG,
    "the right digest with another first digit": flipped(0),
    "the right digest with another last digit": flipped(63),
    "a digest by another secret": createHmac("sha256", "conformance").update(bytes).digest("hex"),
    "a digest by an empty secret": createHmac("sha256", "").update(bytes).digest("hex"),
    "a plain SHA-256 of the body": createHash("sha256").update(bytes).digest("hex"),
    "the digest of an empty body": sign(""),
    "the digest of another delivery": sign([make.test()]),
  };
  return Object.entries(values).map(([sent, value]) => forged(sent, body, value));
}

function changed({ sign, forged }: DeliveryKit): readonly Probe[] {
  const compact = '[{"service_payload_type":"test","risk":42}]';
  const spaced = '[{"service_payload_type": "test", "risk": 42}]';
  const swapped = '[{"risk":42,"service_payload_type":"test"}]';
  const escaped = String.raw`[{"service_payload_type":"test","note":"\u00e9"}]`;
  const written = '[{"service_payload_type":"test","note":"\u00e9"}]';
  const rows = [
    ["blanks added", compact, spaced],
    ["blanks removed", spaced, compact],
    ["keys in another order", compact, swapped],
    ["an escape written out", escaped, written],
    ["a letter turned into an escape", written, escaped],
    ["another number", compact, compact.replace("42", "43")],
    ["a line break added at the end", compact, `${compact}\n`],
    ["a line break removed at the end", `${compact}\n`, compact],
    ["a byte order mark added", compact, `\ufeff${compact}`],
    ["a payload added", compact, compact.replace("]", ',{"service_payload_type":"test"}]')],
    ["a key added twice", compact, compact.replace("}", ',"risk":42}')],
  ] as const;
  return rows.map(([sent, signed, body]) => forged(`${sent} after signing`, body, sign(signed)));
}

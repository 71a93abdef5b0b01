import type { Delivery } from "../../src/model/delivery.js";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isRiskGateError } from "../../src/base/errors.js";
import {
  MAX_PAYLOADS,
  parseDelivery,
  type ParseOptions,
} from "../../src/webhook/parse-delivery.js";
import { payloadLikeJson } from "../support/arbitrary-json.js";
import { thrown } from "../support/caught.js";
import { mistypedMembers } from "../support/payload-types.js";
import { testPayloads } from "../support/delivery.js";
import { vector } from "../support/vectors.js";
import { codePoint } from "../../../../tools/test/code-point.js";

const parse = (value: unknown): Delivery => parseDelivery(JSON.stringify(value));
const reasons = ({ ignored }: Delivery): unknown[] =>
  ignored.map(({ index, reason }) => [index, reason]);
const event = (members: object = {}): object => ({
  service_payload_type: "security_event",
  ...members,
});

describe("parseDelivery", () => {
  it.each(["{}", '"x"', "1", "null", "true"])("WHR-23 refuses %s, which is no array", (text) => {
    expect(thrown(() => parseDelivery(text)).code).toBe("INVALID_PAYLOAD");
  });

  it.each(["", " ", "[", "[1,]", '{"a"', "[]]", "[NaN]", "[01]", "\ufeff", "[]\0", "'x'"])(
    "WHR-22 refuses %j, which is no JSON",
    (text) => {
      expect(thrown(() => parseDelivery(text)).code).toBe("INVALID_JSON");
    },
  );

  it("WHR-22 quotes nothing of a broken body", () => {
    const error = thrown(() => parseDelivery('[{"email":"secret@x.y"'));
    expect(`${error.message} ${error.hint} ${error.stack}`).not.toContain("secret");
    expect(error.cause).toBeUndefined();
  });

  it("WHR-25 takes 1,000 elements and refuses 1,001", () => {
    expect(parse(testPayloads(MAX_PAYLOADS)).elements).toHaveLength(1000);
    expect(thrown(() => parse(testPayloads(MAX_PAYLOADS + 1))).code).toBe("TOO_MANY_EVENTS");
    expect(thrown(() => parse(Array.from({ length: 1001 }, () => 0))).code).toBe("TOO_MANY_EVENTS");
  });

  it("WHR-32 tolerates one byte order mark", () => {
    const { body } = vector("V7");
    expect(parseDelivery(body).elements).toMatchObject([{ index: 0, type: "test" }]);
    const twice = Buffer.concat([body.subarray(0, 3), body]);
    expect(thrown(() => parseDelivery(twice)).code).toBe("INVALID_JSON");
  });

  it("WHR-33 refuses invalid UTF-8", () => {
    expect(thrown(() => parseDelivery(vector("V8").body)).code).toBe("INVALID_ENCODING");
    for (const hex of ["ff", "c080", "eda080", "f4908080", "e28a", "fffe5b005d00"]) {
      const body = Buffer.concat([Buffer.from('["'), Buffer.from(hex, "hex"), Buffer.from('"]')]);
      expect(thrown(() => parseDelivery(body)).code).toBe("INVALID_ENCODING");
    }
  });

  it("WHR-35 sorts the good from the rest, each with its reason", () => {
    const good = { service_payload_type: "test" };
    const delivery = parse([good, null, 42, "x", [], {}, { service_payload_type: "later" }, good]);
    expect(delivery.elements.map(({ index }) => index)).toEqual([0, 7]);
    expect(reasons(delivery)).toEqual([
      [1, "not_an_object"],
      [2, "not_an_object"],
      [3, "not_an_object"],
      [4, "not_an_object"],
      [5, "no_type"],
      [6, "unknown_type"],
    ]);
    expect(delivery.size).toBe(8);
  });

  it("PAY-09 takes payloads out of envelopes, beside others without", () => {
    const message = { event_id: "a", risk_coefficient: 25, later: 1 };
    const envelope = {
      message_id: null,
      api_version: "2",
      message_type: "security_event",
      message,
    };
    const { elements, ignored } = parse([envelope, event({ event_id: "b" })]);
    expect(ignored).toEqual([]);
    expect(elements[0]).toMatchObject({
      type: "security_event",
      payload: {
        service_payload_type: "security_event",
        event_id: "a",
        risk: 25,
        later: 1,
        ips: [],
      },
      raw: envelope,
      dropped: [],
    });
    expect(elements[1]).toMatchObject({ payload: { event_id: "b" } });
  });

  it.each(["security_event", "pulse", "security_response", "test"] as const)(
    "PAY-09 reads a %s in an envelope as it reads one without",
    (service_payload_type) => {
      fc.assert(
        fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
          const { service_payload_type: _, ...message } = members;
          const flat = parse([{ ...message, service_payload_type }]);
          const inEnvelope = parse([{ message_type: service_payload_type, message }]);
          const what = ({ elements }: Delivery): unknown =>
            elements.map(({ payload, dropped }) => [payload, dropped]);
          expect(what(inEnvelope)).toEqual(what(flat));
          expect(reasons(inEnvelope)).toEqual(reasons(flat));
        }),
      );
    },
  );

  it.each([
    ["an unknown type", { message_type: "later", message: {} }, "unknown_type"],
    ["no message", { message_type: "test" }, "no_type"],
    ["a message that is no object", { message_type: "test", message: [] }, "no_type"],
    ["a type that is no text", { message_type: 1, message: {} }, "no_type"],
  ])("PAY-09 ignores an envelope with %s, whole", (_, raw, reason) => {
    expect(parse([raw]).ignored).toMatchObject([{ reason, raw }]);
  });

  it.each<[unknown]>([[7], [null], [["test"]], [{}], [true]])(
    "takes a type that is %j for none",
    (type) => {
      expect(reasons(parse([{ service_payload_type: type }]))).toEqual([[0, "no_type"]]);
    },
  );

  it.each(["Test", "test ", "", "__proto__", "constructor", "toString", "unknown"])(
    "takes the type %j for unknown",
    (type) => {
      const delivery = parse([{ service_payload_type: type }]);
      expect(delivery.ignored).toMatchObject([{ reason: "unknown_type", type }]);
    },
  );

  it.each([
    ["category", { event_category: "weather" }, "unknown_category"],
    ["kind", { event_category: "injection", event_kind: "waf" }, "unknown_kind"],
  ])("PAY-03 ignores an event of unknown %s with its type", (_, members, reason) => {
    expect(parse([event(members)]).ignored).toMatchObject([
      { index: 0, reason, type: "security_event", raw: event(members) },
    ]);
  });

  it.each([
    ["a known kind with blanks", { event_kind: "auth_ bruteforce" }],
    ["a known kind with a blank behind it", { event_kind: "auth_bruteforce " }],
    ["no kind and no category", {}],
    ["a kind that is no text", { event_kind: 7, event_category: null }],
  ])("PAY-03 handles an event with %s", (_, members) => {
    expect(parse([event(members)]).elements).toHaveLength(1);
  });

  it.each([
    "auth_bruteforce success",
    "auth_bruteforce  success",
    "auth_bruteforce\tsuccess",
    "auth_bruteforce\u00a0success",
    " auth_bruteforce_success\u2003",
    "auth_bruteforce_ success",
  ])("PAY-03 reads %j as the kind that it means", (event_kind) => {
    const { elements } = parse([event({ event_kind })]);
    expect(elements[0]?.payload).toMatchObject({ event_kind: "auth_bruteforce_success" });
  });

  it("finds the type under another name", () => {
    const delivery = parseDelivery('[{"vendor_type":"pulse"},{"service_payload_type":"test"}]', {
      payloadTypeField: "vendor_type",
    });
    expect(delivery.elements).toMatchObject([
      { type: "pulse", payload: { service_payload_type: "pulse" } },
    ]);
    expect(reasons(delivery)).toEqual([[1, "no_type"]]);
  });

  it("takes no inherited member for the type", () => {
    for (const payloadTypeField of ["constructor", "__proto__", "toString"]) {
      expect(reasons(parseDelivery("[{}]", { payloadTypeField }))).toEqual([[0, "no_type"]]);
    }
  });

  it("lets the last of two equal keys win", () => {
    const text =
      '[{"service_payload_type":"pulse","service_payload_type":"test","id":"a","id":"b"}]';
    expect(parseDelivery(text).elements).toMatchObject([{ type: "test", payload: { id: "b" } }]);
  });

  it("gives the element as sent beside the payload", () => {
    const raw = event({ id: "a", ips: [null] });
    expect(parse([raw]).elements).toMatchObject([{ raw, dropped: ["ips[0]"] }]);
  });

  it.each([
    ["brackets", "[", "]"],
    ["objects", '{"a":', "}"],
  ])(
    "R7 reads nested %s up to 64 levels or 1 MiB, and refuses others unparsed",
    (_, open, close) => {
      const text = (depth: number): string => {
        const deep = open.repeat(depth) + (open === "[" ? "" : "1") + close.repeat(depth);
        return `[{"service_payload_type":"test","id":"a","__proto__":1,"deep":${deep}}]`;
      };
      const long = (depth: number): string => text(depth) + " ".repeat(2 ** 20);
      for (const body of [long(62), text(63), text(100_000)]) {
        const [element] = parseDelivery(body).elements;
        expect(element).toMatchObject({ payload: { id: "a" } });
        expect(Object.keys(element?.raw ?? {})).not.toContain("__proto__");
      }
      const parse = vi.spyOn(JSON, "parse");
      onTestFinished(() => parse.mockRestore());
      for (const depth of [63, 1_000_000]) {
        expect(thrown(() => parseDelivery(long(depth)))).toMatchObject({
          code: "INVALID_JSON",
          message:
            "expected a body that is JSON, given some that is nested more than 64 levels deep",
        });
      }
      expect(parse).not.toHaveBeenCalled();
    },
  );

  it("throws nothing but its four codes", () => {
    const body = fc.oneof(
      fc.uint8Array(),
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: codePoint, maxLength: 20 }),
      payloadLikeJson.map((value) => JSON.stringify(value)),
      payloadLikeJson.map((value) => Buffer.from(JSON.stringify([value]))),
    );
    const codes = ["INVALID_ENCODING", "INVALID_JSON", "INVALID_PAYLOAD", "TOO_MANY_EVENTS"];
    fc.assert(
      fc.property(body, (given) => {
        try {
          const { elements, ignored, size } = parseDelivery(given);
          expect(elements.length + ignored.length).toBe(size);
          expect(elements.flatMap(({ payload }) => mistypedMembers(payload))).toEqual([]);
        } catch (error) {
          if (!isRiskGateError(error)) throw error;
          expect(codes).toContain(error.code);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, object | null]>([
    ["an unknown option", { field: "type" }],
    ["an empty name", { payloadTypeField: "" }],
    ["a name that is not a string", { payloadTypeField: 7 }],
    ["null", null],
  ])("refuses options that are or hold %s", (_, options) => {
    expect(thrown(() => parseDelivery("[]", options as ParseOptions)).code).toBe("CONFIG_INVALID");
  });

  it("never loses a good element, whatever surrounds it", () => {
    const around = fc.array(payloadLikeJson, { maxLength: 5 });
    fc.assert(
      fc.property(around, fc.string(), around, (before, id, after) => {
        const good = { service_payload_type: "test", id, ips: [] };
        const { elements } = parse([...before, good, ...after]);
        const found = elements.find(({ index }) => index === before.length);
        expect(found).toMatchObject({ type: "test", payload: { id } });
      }),
      { numRuns: 1000 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elementKey, elementTexts } from "../../src/webhook/element-identity.js";
import type { RawObject } from "../../src/model/raw-object.js";

/** A text: only runtimes without Node return a promise. */
const keyOf = (raw: RawObject): unknown => elementKey(raw, JSON.stringify(raw));

describe("elementKey", () => {
  it("is the same for the same type, id and content", () => {
    const raw = { service_payload_type: "pulse", id: "a", n: 1 };
    expect(keyOf(raw)).toBe(keyOf({ ...raw }));
    expect(keyOf(raw)).toMatch(/^[\w-]{43}$/);
  });

  it("is another for another type, id or content", () => {
    const keys = [
      keyOf({ service_payload_type: "pulse", id: "a" }),
      keyOf({ service_payload_type: "test", id: "a" }),
      keyOf({ service_payload_type: "pulse", id: "b" }),
      keyOf({ service_payload_type: "pulse", id: "a", accounts_count: 2 }),
      keyOf({ service_payload_type: "security_event", event_id: "a" }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([[{}], [{ id: null }], [{ id: 7 }], [{ id: {} }], [{ event_id: null, id: null }]])(
    "PAY-07 INB-13 gives none to %j, which is never a duplicate",
    (raw) => {
      expect(keyOf(raw)).toBeUndefined();
    },
  );

  it("takes either spelling of the id", () => {
    expect(keyOf({ id: "a" })).toBeDefined();
    expect(keyOf({ event_id: null, id: "a" })).toBeDefined();
  });
});

describe("elementKey of an envelope", () => {
  const envelope = (members: object, message: object = { event_id: "a", n: [1] }): RawObject => ({
    retry_count: 0,
    message_type: "security_event",
    message,
    ...members,
  });

  it("is the same however often and when it is sent", () => {
    expect(keyOf(envelope({}))).toMatch(/^[\w-]{43}$/);
    expect(keyOf(envelope({ retry_count: 7, date_created: "later" }))).toBe(keyOf(envelope({})));
  });

  it("is another for another type, id or content", () => {
    const keys = [
      keyOf(envelope({})),
      keyOf(envelope({ message_type: "test" })),
      keyOf(envelope({}, { event_id: "b", n: [1] })),
      keyOf(envelope({}, { event_id: "a", n: [2] })),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("PAY-07 gives none to a message without an id", () => {
    expect(keyOf(envelope({}, { n: 1 }))).toBeUndefined();
  });

  it("is that of the last message, which is the one that counts", () => {
    const message = '{"id": "a"}';
    const twice = `{"message":{"id":"b"},"message_type":"test", "message":${message} }`;
    const once = `{"message_type":"test","message":${message}}`;
    const raw = JSON.parse(once) as RawObject;
    expect(elementKey(raw, twice)).toBe(elementKey(raw, once));
  });

  it("is found whatever the members are", () => {
    const member = fc.tuple(
      fc.constantFrom("message_id", "retry_count", "a", "messages", '"message":'),
      fc.jsonValue(),
    );
    const message = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(member), message, fc.array(member), (before, content, after) => {
        const inner = { ...content, event_id: "a" };
        const raw = Object.fromEntries([
          ...before,
          ["message_type", "test"],
          ["message", inner],
          ...after,
        ]) as RawObject;
        expect(keyOf(raw)).toBe(keyOf({ message_type: "test", message: inner }));
      }),
    );
  });

  it("survives any depth", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const text = `{"message_type":"test","message":{"id":"a","n":${deep}}}`;
    expect(elementKey(JSON.parse(text) as RawObject, text)).toBeDefined();
  });
});

describe("elementTexts", () => {
  it.each<[string, string[]]>([
    ["[]", []],
    [" [ \n ] ", []],
    ["[1]", ["1"]],
    ['["\\\\\\"]", "\\\\", 1]', ['"\\\\\\"]"', '"\\\\"', "1"]],
    ['[\t{ "a" : [1, 2] } ,\r\n"b" , null\n]\n', ['{ "a" : [1, 2] }', '"b"', "null"]],
    [
      '["[", "]", ",", "\\"", "\\\\", {"}": "{"}]',
      ['"["', '"]"', '","', '"\\""', '"\\\\"', '{"}": "{"}'],
    ],
    ["[[],[[]],{}]", ["[]", "[[]]", "{}"]],
  ])("finds the elements of %j", (json, elements) => {
    expect(elementTexts(json, elements.length)).toEqual(elements);
  });

  it("finds what JSON.parse finds, however it is written", () => {
    const blanks = fc.constantFrom("", " ", "\n", "\t\r\n ");
    fc.assert(
      fc.property(fc.array(fc.json()), blanks, fc.nat(3), (elements, blank, indent) => {
        const written = elements.map((text) => JSON.stringify(JSON.parse(text), null, indent));
        const json = `${blank}[${written.map((text) => blank + text + blank).join()}${blank}]`;
        const found = elementTexts(json, written.length);
        expect(found).toEqual(written);
        expect(found.map((text) => JSON.parse(text) as unknown)).toEqual(JSON.parse(json));
      }),
      { numRuns: 1000 },
    );
  });
});

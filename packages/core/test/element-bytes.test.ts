import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elementBytes } from "../src/element-bytes.js";

const texts = (json: string): string[] =>
  elementBytes(Buffer.from(json)).map((bytes) => Buffer.from(bytes).toString());

describe("elementBytes", () => {
  it.each<[string, string[]]>([
    ["[]", []],
    [" [ \n ] ", []],
    ["[1]", ["1"]],
    ["\ufeff[1, 2]", ["1", "2"]],
    ['[\t{ "a" : [1, 2] } ,\r\n"b" , null\n]\n', ['{ "a" : [1, 2] }', '"b"', "null"]],
    [
      '["[", "]", ",", "\\"", "\\\\", {"}": "{"}]',
      ['"["', '"]"', '","', '"\\""', '"\\\\"', '{"}": "{"}'],
    ],
    ["[[],[[]],{}]", ["[]", "[[]]", "{}"]],
  ])("finds the elements of %j", (json, elements) => {
    expect(texts(json)).toEqual(elements);
  });

  it("finds what JSON.parse finds, however it is written", () => {
    const blanks = fc.constantFrom("", " ", "\n", "\t\r\n ");
    fc.assert(
      fc.property(fc.array(fc.json()), blanks, fc.nat(3), (elements, blank, indent) => {
        const written = elements.map((text) => JSON.stringify(JSON.parse(text), null, indent));
        const json = `${blank}[${written.map((text) => blank + text + blank).join()}${blank}]`;
        expect(texts(json)).toEqual(written);
        expect(texts(json).map((text) => JSON.parse(text) as unknown)).toEqual(JSON.parse(json));
      }),
      { numRuns: 1000 },
    );
  });

  it("copies nothing", () => {
    const json = Buffer.from('[{"a":1}]');
    expect(elementBytes(json)[0]?.buffer).toBe(json.buffer);
  });
});

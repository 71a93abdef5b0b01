import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { elementTexts } from "../../src/webhook/element-texts.js";

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

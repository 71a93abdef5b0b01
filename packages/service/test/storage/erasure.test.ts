import { describe, expect, it } from "vitest";
import { patternOf } from "../../src/storage/erasure.js";

describe("patternOf", () => {
  it.each([
    ["1.2.3.4", '{"address":"1.2.3.4"}', true],
    ["1.2.3.4", '"1.2.3.4/32"', true],
    ["1.2.3.4", "from 1.2.3.4.", true],
    ["1.2.3.4", "11.2.3.4", false],
    ["1.2.3.4", "1.2.3.45", false],
    ["1.2.3.4", "1.2.3.4.5", false],
    ["1.2.3.4", "1x2x3x4", false],
    ["2001:db8::1", '"2001:db8::1"', true],
    ["2001:db8::1", '"2001:db8::12"', false],
    ["2001:db8::1", '"2001:db8::1:2"', false],
    ["a@x.y", '"a@X.Y"', true],
    ["a@x.y", '"aa@x.y"', false],
    ["a@x.y", '"b.a@x.y"', false],
    ["a@x.y", '"a@x.y.z"', false],
    ['"q"@x.y', JSON.stringify('"q"@x.y'), true],
    ["a+b@x.y", '"a+b@x.y"', true],
    ["b@x.y", '"a+b@x.y"', false],
  ])("%s in %s: %s", (subject, text, expected) => {
    expect(text.search(patternOf(subject)) >= 0).toBe(expected);
  });
});

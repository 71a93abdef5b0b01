import { describe, expect, it } from "vitest";
import { typeName } from "../../src/base/type-name.js";

describe("typeName", () => {
  it.each<[unknown, string]>([
    [null, "null"],
    [[], "array"],
    [{}, "object"],
    [undefined, "nothing"],
    ["x", "string"],
    [1n, "bigint"],
  ])("names the type of a value", (value, name) => {
    expect(typeName(value)).toBe(name);
  });
});

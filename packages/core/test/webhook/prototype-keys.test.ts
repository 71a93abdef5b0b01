import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutPrototypeKeys } from "../../src/webhook/prototype-keys.js";

const clean = (text: string): unknown => withoutPrototypeKeys<unknown>(JSON.parse(text), text);

/** Every path to an own `__proto__`, or to a `prototype` below `constructor`. */
function dangers(value: unknown, path = "$"): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const here = `${path}.${key}`;
    const isDanger = key === "__proto__" || here.endsWith(".constructor.prototype");
    return [...(isDanger ? [here] : []), ...dangers(child, here)];
  });
}

describe("withoutPrototypeKeys", () => {
  it.each([
    ["__proto__", '{"a":1,"__proto__":{"polluted":1}}', { a: 1 }],
    ["an escaped __proto__", '{"a":1,"\\u005f_proto__":{"polluted":1}}', { a: 1 }],
    ["escapes in either case", '{"\\u005F\\u005Fproto\\u005f\\u005F":1}', {}],
    ["an escaped letter of constructor", '{"\\u0063onstructor":{"prototype":1}}', {}],
    ["prototype below constructor", '{"constructor":{"prototype":{"polluted":1},"b":2}}', {}],
    ["__proto__ in a list in a list", '[[{"x":[{"__proto__":1}]}]]', [[{ x: [{}] }]]],
    ["__proto__ below constructor", '{"constructor":{"__proto__":{"x":1}}}', {}],
    ["__proto__ that is null", '{"__proto__":null}', {}],
  ])("WHR-34 removes %s", (_, text, expected) => {
    const result = clean(text);
    expect(dangers(result)).toEqual([]);
    if (!text.includes("onstructor")) expect(result).toEqual(expected);
  });

  it.each(['{"constructor":"Acme Ltd"}', '{"prototype":1}', '{"proto":1,"x":"__proto__"}'])(
    "keeps %s, which is harmless",
    (text) => {
      expect(clean(text)).toEqual(JSON.parse(text));
    },
  );

  it("keeps what else stands below constructor", () => {
    expect(Object.entries(clean('{"constructor":{"prototype":1,"b":2}}') as object)).toEqual([
      ["constructor", { b: 2 }],
    ]);
  });

  it("walks any depth without recursion", () => {
    const depth = 200_000;
    const text = `${'{"a":'.repeat(depth)}{"__proto__":{"x":1}}${"}".repeat(depth)}`;
    let inner = clean(text) as Record<string, unknown>;
    for (let n = 0; n < depth; n++) inner = inner["a"] as Record<string, unknown>;
    expect(Object.keys(inner)).toEqual([]);
  });

  it("leaves no dangerous key in any JSON, however it is written", () => {
    const key = fc.oneof(
      fc.constantFrom("__proto__", "constructor", "prototype", "a"),
      fc.string({ maxLength: 3 }),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom<unknown>(1, "x", null),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie("tree")), { maxLength: 4 }).map((pairs) => new Map(pairs)),
      ),
    }));
    /** JSON in which every letter of a key may be an escape. */
    const write = (value: unknown, escaped: boolean): string => {
      if (Array.isArray(value)) return `[${value.map((item) => write(item, escaped)).join()}]`;
      if (!(value instanceof Map)) return JSON.stringify(value);
      const members = [...(value as Map<string, unknown>)].map(([name, item]) => {
        const text = escaped
          ? `"${name
              .split("")
              .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
              .join("")}"`
          : JSON.stringify(name);
        return `${text}:${write(item, escaped)}`;
      });
      return `{${members.join()}}`;
    };
    fc.assert(
      fc.property(tree, fc.boolean(), (value, escaped) => {
        expect(dangers(clean(write(value, escaped)))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

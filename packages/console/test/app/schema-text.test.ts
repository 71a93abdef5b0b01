import { describe, expect, it } from "vitest";
import { namesIn, schemaText } from "../../src/app/schema-text.js";

describe("a schema as text", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ enum: ["ip", 1] }, '"ip" | 1'],
    [{ const: 1 }, "1"],
    [{ $ref: "#/components/schemas/Count" }, "Count"],
    [{ type: "array", items: { type: ["number", "null"] } }, "(number | null)[]"],
    [{ type: "array", items: { $ref: "#/components/schemas/Feed" } }, "Feed[]"],
    [{ oneOf: [{ type: "null" }, { $ref: "#/x/Instant" }] }, "null | Instant"],
    [{ type: "object" }, "object"],
    [{}, "unknown"],
  ])("%j is %s", (schema, text) => {
    expect(schemaText(schema)).toBe(text);
  });

  it("has a line for each member, with its description above it", () => {
    const schema = {
      type: "object",
      required: ["at"],
      properties: {
        at: { type: "string", description: "When.\nIn UTC." },
        "x-y": { type: "object", properties: { a: { type: "integer" } } },
      },
      additionalProperties: { type: "boolean" },
    };
    expect(schemaText(schema)).toBe(
      [
        "{",
        "  // When.",
        "  // In UTC.",
        "  at: string",
        '  "x-y"?: {',
        "    a?: integer",
        "  }",
        "  [name: string]: boolean",
        "}",
      ].join("\n"),
    );
  });

  it("names other schemas once", () => {
    const feed = { $ref: "#/components/schemas/Feed" };
    expect(namesIn({ properties: { a: feed, b: { type: "array", items: feed } } })).toEqual([
      "Feed",
    ]);
  });
});

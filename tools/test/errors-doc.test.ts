import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../workspace.mjs";

const read = (path: string) => readFileSync(join(root, path), "utf8");

const table =
  /const HINTS = \{([\s\S]*?)\n\}/.exec(read("packages/core/src/base/hints.ts"))?.[1] ?? "";
const codes = [...table.matchAll(/^ {2}([A-Z_]+):/gm)].map((match) => match[1]);
const headings = [...read("docs/errors.md").matchAll(/^## (.*)$/gm)].map((match) => match[1]);

describe("docs/errors.md", () => {
  it("is compared with codes that were found", () => {
    expect(codes).toContain("CONFIG_INVALID");
  });

  it("has one heading for each code, in the order of the code", () => {
    expect(headings).toEqual(codes);
  });
});

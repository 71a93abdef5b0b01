import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../workspace.mjs";
import { sourceFiles } from "./source-file.js";

/** Codes in titles, such as `WHR-14` or R15. */
const CODE = /["'`](?:[^"'`\n]{0,80} )?(?:([A-Z]{3})-\d{2}|(R\d{1,2}))[" ]/g;

const page = readFileSync(join(root, "docs/test-cases.md"), "utf8");
const files = [...sourceFiles("test"), ...sourceFiles("src").filter(isContract)];

function isContract({ path }: { readonly path: string }): boolean {
  return path.includes("packages/testing/src/");
}

describe("docs/test-cases.md", () => {
  it("explains every code in test titles", () => {
    const codes = new Set(
      files.flatMap(({ text }) => [...text.matchAll(CODE)].map(([, group, rule]) => group ?? rule)),
    );
    expect(codes.size).toBeGreaterThan(10);
    const unexplained = [...codes].filter(
      (code) => !new RegExp(`^\\| \`?${code}\`? +\\|`, "m").test(page),
    );
    expect(unexplained).toEqual([]);
  });
});

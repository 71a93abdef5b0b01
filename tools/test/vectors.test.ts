import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VECTORS_FILE, vectorsText } from "../vectors.mjs";
import { root } from "../workspace.mjs";

describe("vectors of webhook signatures", () => {
  it("match the table; `node tools/vectors.mjs` writes them", async () => {
    expect(readFileSync(join(root, VECTORS_FILE), "utf8")).toBe(await vectorsText());
  });
});

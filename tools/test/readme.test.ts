import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJson, root } from "../workspace.mjs";
import { testPrograms } from "./programs-in.js";

// `full/documents.test.ts` tests those of the other documents.
testPrograms(["README.md", "docs/README.md"]);

it("README.md names commands that exist", () => {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const commands = [...text.matchAll(/npx --yes pnpm@10 (?:run )?([a-z]+)/g)].map(
    (match) => match[1],
  );
  const { scripts } = readJson(join(root, "package.json")) as { scripts: object };
  expect(commands).toEqual(expect.arrayContaining(["start", "test"]));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
});

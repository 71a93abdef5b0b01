import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectsIn, readJson, root } from "../workspace.mjs";
import { codeBlocks } from "./code-block.js";
import { testPrograms } from "./programs-in.js";

// `full/documents.test.ts` tests those of the other documents.
testPrograms(["README.md", "docs/README.md"]);

const INSTALL_LINE = /npm install ([^\n`#]+)|^Install (`[^.]+`)\./gm;
const IMPORT = /\b(?:from|import|require\()\s*"([^".][^"]*)"/g;
const pages = [
  "README.md",
  ...["docs", "docs/guides"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
  ...projectsIn("packages").map(({ name }) => `packages/${name}/README.md`),
].filter((page) => page.endsWith(".md") && installedIn(page).length > 0);

/** Lists the packages that a page says to install. */
function installedIn(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const lines = [...text.matchAll(INSTALL_LINE)].map(
    ([, command, prose]) => command ?? prose ?? "",
  );
  return lines.flatMap((line) => line.match(/(?<![\w-])@?[a-z][\w./-]*/g) ?? []);
}

// A package manager with a strict layout, such as pnpm, hides the dependencies of dependencies.
it.each(pages)("%s says to install all packages that its programs import", (page) => {
  const imported = codeBlocks(page).flatMap(({ code }) =>
    [...code.matchAll(IMPORT)].map(([, name = ""]) => name),
  );
  const packages = imported
    .filter((name) => !isBuiltin(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
  expect([...new Set(packages)].filter((name) => !installedIn(page).includes(name))).toEqual([]);
});

it("README.md names commands that exist", () => {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const commands = [...text.matchAll(/npx --yes pnpm@10 (?:run )?([a-z]+)/g)].map(
    (match) => match[1],
  );
  const { scripts } = readJson(join(root, "package.json")) as { scripts: object };
  expect(commands).toEqual(expect.arrayContaining(["start", "test"]));
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
});

import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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

describe("figures in README.md", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const read = (page: string): string => readFileSync(join(root, page), "utf8");
  const figure = (pattern: RegExp): string => pattern.exec(readme)![1]!;

  it("count the adapters and the cases of their contract", () => {
    const [head = "", , row = ""] = read("docs/adapters.md")
      .split("\n")
      .filter((line) => /^\| (?:Adapter|-+|Express 5) /.test(line));
    expect(head).toContain("Login watch");
    const cases = [...row.matchAll(/all (\d+)/g)].map(([, count]) => Number(count));
    expect(Number(figure(/one contract of (\d+) cases/))).toBe(cases.reduce((a, b) => a + b, 0));
    const adapters = /^const ADAPTERS = \[(.*)\];$/m.exec(read("tools/test/house.test.ts"))![1]!;
    expect(Number(figure(/(\d+) adapters for/))).toBe(adapters.split(",").length);
  });

  it("are the limits that a test sets for bundles", () => {
    const limits = read("tools/test/full/build.test.ts");
    const kilobytes = (name: string): string =>
      String(
        Math.floor(
          Number(new RegExp(`^  ${name}: ([\\d_]+)`, "m").exec(limits)![1]!.replace("_", "")) /
            1000,
        ),
      );
    expect(figure(/gate is (\d+) kB/)).toBe(kilobytes("riskGate"));
    expect(figure(/webhook route (\d+) kB/)).toBe(kilobytes("webhookRoute"));
  });

  it("are on the pages that they link to", () => {
    expect(read("docs/performance.md")).toContain(`${figure(/adds (5 to 6) µs/)} us on Fastify`);
    expect(read("docs/performance.md")).toContain(
      `Core installs ${figure(/core installs (\d+)/)} packages`,
    );
    expect(read("docs/production.md")).toContain(
      `of ${figure(/of ([\d,]+) accepted events/)} accepted events, none lost`,
    );
    const [, share] = /challenged or refused (\d+) % of the attack/.exec(readme)!;
    const row = /^\| Challenged or refused +\| +([\d.]+) % \| +([\d.]+) % \|$/m.exec(
      read("docs/evaluation.md"),
    )!;
    expect(row.slice(1).map(Number)).toEqual([100, expect.closeTo(Number(share), 0)]);
  });
});

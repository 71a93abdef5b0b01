import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { projectsIn, root } from "../../workspace.mjs";
import { testPrograms } from "../programs-in.js";

const documents = [
  "docs/errors.md",
  "docs/migrating.md",
  "docs/operator-rules.md",
  "docs/redis.md",
  "docs/rehearsal.md",
  "docs/reporting.md",
  "docs/step-up.md",
  "docs/steps.md",
  ...pagesIn("docs/guides"),
  ...pagesIn("docs/recipes"),
  ...projectsIn("packages").map(({ name }) => `packages/${name}/README.md`),
];
testPrograms(documents.filter((document) => existsSync(join(root, document))));

function pagesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
  return names.sort().map((name) => `${folder}/${name}`);
}

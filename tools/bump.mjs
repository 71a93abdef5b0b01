// Prepares a release: all packages get the next version that the changesets ask for, and what they
// say becomes its section in CHANGELOG.md. Without a changeset the version stays, as for the first.
//
//   node tools/bump.mjs [FOLDER OF A REPOSITORY]
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import getReleasePlan from "@changesets/get-release-plan";
import { withRelease } from "./changelog.mjs";
import { readJson, root } from "./workspace.mjs";

const repository = resolve(process.argv[2] ?? root);
const changelog = join(repository, "CHANGELOG.md");
const versionNow = () =>
  /** @type {{ version: string }} */ (readJson(join(repository, "packages/core/package.json")))
    .version;

const plan = await getReleasePlan(repository);
const changes = plan.changesets.flatMap(({ releases, summary }) => {
  const types = releases.map(({ type }) => type);
  const type = /** @type {const} */ (["major", "minor", "patch"]).find((one) =>
    types.includes(one),
  );
  return type === undefined ? [] : [{ type, summary }];
});
const version = plan.releases.find(({ name }) => name === "@riskgate/core")?.newVersion;
const text = withRelease(readFileSync(changelog, "utf8"), {
  version: version ?? versionNow(),
  date: new Date().toISOString().slice(0, 10),
  changes,
});
if (plan.changesets.length > 0) {
  const cli = createRequire(import.meta.url).resolve("@changesets/cli/bin.js");
  execFileSync(process.execPath, [cli, "version"], { cwd: repository, stdio: "inherit" });
}
writeFileSync(changelog, text);
console.log(`bump: ${versionNow()}; review the diff, commit it, and push the tag v${versionNow()}`);

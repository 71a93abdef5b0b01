// Publishes the packages that the registry does not have yet in their version. A release that broke
// off is finished by running it again.
//
//   node tools/release.mjs v0.1.0 [--dry-run]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hasSection } from "./changelog.mjs";
import { pack } from "./pack.mjs";
import { projectsIn, root } from "./workspace.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
const tag = positionals[0] ?? "";
const isDry = values["dry-run"];
const manifests = projectsIn("packages")
  .filter(({ published }) => published)
  .map(({ manifest }) => manifest);

const obstacles = obstaclesOf(tag);
for (const obstacle of obstacles) console.error(`release: ${obstacle}`);
if (obstacles.length > 0) process.exitCode = 1;
else publishAll();

/** @param {string} wanted */
function obstaclesOf(wanted) {
  const version = wanted.replace(/^v/, "");
  const odd = manifests.filter((manifest) => `v${manifest.version}` !== wanted);
  const changesets = readdirSync(join(root, ".changeset")).filter((file) => file.endsWith(".md"));
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  return [
    ...odd.map(({ name, version: own }) => `${name} has version ${own}, the tag is "${wanted}"`),
    ...changesets.map((file) => `.changeset/${file} is not part of a version: run bump first`),
    ...(hasSection(changelog, version) ? [] : [`CHANGELOG.md has no section for "${version}"`]),
  ];
}

function publishAll() {
  const folder = mkdtempSync(join(tmpdir(), "riskgate-release-"));
  try {
    const tarballs = pack(folder);
    for (const { name, version } of inOrder()) {
      const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
      const tarball = tarballs.find((path) => path.endsWith(file));
      if (!tarball) throw new Error(`No tarball of ${name} was packed`);
      if (!isDry && isPublished(`${name}@${version}`)) console.log(`there  ${file}`);
      else npm("publish", tarball, ...(isDry ? ["--dry-run"] : []));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Manifests so that each comes after what it depends on: whoever installs meanwhile gets all. */
function inOrder() {
  /** @type {typeof manifests} */
  const sorted = [];
  while (sorted.length < manifests.length) {
    const waiting = manifests.filter((manifest) => !sorted.includes(manifest));
    const isReady = (/** @type {string} */ name) => !waiting.some((other) => other.name === name);
    const ready = waiting.filter(({ dependencies = {} }) =>
      Object.keys(dependencies).every(isReady),
    );
    if (ready.length === 0) throw new Error("The packages depend on each other in a circle");
    sorted.push(...ready);
  }
  return sorted;
}

/** @param {string} spec */
function isPublished(spec) {
  return spawnSync("npm", ["view", spec, "version"], { encoding: "utf8" }).stdout.trim() !== "";
}

/** @param {string[]} options */
function npm(...options) {
  // Not in the repository: npm would take its manifest and workspace for its own.
  const { status } = spawnSync("npm", options, { cwd: tmpdir(), stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ${options.join(" ")} ended with ${status}`);
}
